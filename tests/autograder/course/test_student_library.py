"""Nothing of an answer or a hidden test reaches students, and what does reach them works."""

import ast
import json
import re
import subprocess
import sys
import zipfile
from datetime import datetime
from pathlib import PurePosixPath

import pytest

from autograder.classroom import release
from autograder.classroom.directory import init_class
from autograder.classroom.release import release_unit
from autograder.course.notebooks import solution_notebook
from autograder.course.student_library import student_edition, without_answer
from autograder.course.units import ROOT, Unit, all_units, written_units

pytestmark = pytest.mark.slow

UNIT = pytest.mark.parametrize("unit", written_units(), ids=lambda unit: unit.full_name)
REGIONS = r"### BEGIN {0}\n(.*?)### END {0}"
# Shorter lines say nothing: `return q` in a notebook, `with torch.no_grad():` in a whole library.
SAYS_NOTHING, SAYS_NOTHING_IN_A_LIBRARY = 12, 25


def secret_lines(unit):
    """Every line of a solution or hidden test, and every sentence of a rubric or a model answer."""
    for cell in solution_notebook(unit).cells:
        for name in ("SOLUTION", "HIDDEN TESTS"):
            pattern = REGIONS.format(name)
            shown = re.sub(pattern, "", cell.source, flags=re.DOTALL).splitlines()
            for region in re.findall(pattern, cell.source, flags=re.DOTALL):
                yield from (line for line in region.splitlines() if line not in shown)
        rubric = re.search(r"=== BEGIN MARK SCHEME ===(.*)=== END MARK SCHEME ===", cell.source, flags=re.DOTALL)
        if rubric:
            yield from rubric[1].splitlines()
        if cell.cell_type == "markdown" and cell.metadata.get("nbgrader", {}).get("solution"):
            yield from cell.source.split(". ")


def hidden_answers(unit):
    """What the edition for a unit must lack: its own answers and those of the units after it."""
    return [answer for later in all_units() if later.id >= unit.id for answer in later.answers]


def answer_files(answer):
    path = ROOT / "course_lib" / answer.replace(".", "/")
    return sorted(path.glob("*.py")) if path.is_dir() else [path.with_suffix(".py")]


def answer_lines(unit):
    """Every line in the body of a public function or method of an answer module, but for its docstring."""
    for path in (path for answer in hidden_answers(unit) for path in answer_files(answer)):
        source = path.read_text("utf-8")
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                body = node.body[1:] if ast.get_docstring(node) else node.body
                yield from source.splitlines()[body[0].lineno - 1 : body[-1].end_lineno]


@pytest.fixture(scope="module")
def bundles(tmp_path_factory):
    directory = init_class(tmp_path_factory.mktemp("release") / "class")
    return {unit: release_unit(directory, unit) for unit in written_units()}


@UNIT
def test_no_secret_line_reaches_students(unit, bundles):
    with zipfile.ZipFile(bundles[unit]) as archive:
        shipped = {name: archive.read(name).decode() for name in archive.namelist()}
    shipped["repository"] = unit.notebook.read_text("utf-8")
    secrets = {line.strip() for line in secret_lines(unit) if len(line.strip()) >= SAYS_NOTHING}
    assert len(secrets) > 10
    answers = {line.strip() for line in answer_lines(unit) if len(line.strip()) >= SAYS_NOTHING_IN_A_LIBRARY}
    assert len(answers) > 20  # the last units have few answers left to hide
    for name, text in shipped.items():
        plain = json.loads(text) if name.endswith(".ipynb") else None
        text = "\n".join("".join(cell["source"]) for cell in plain["cells"]) if plain else text
        for secret in secrets | answers:
            assert secret not in text, f"{name} shows {secret!r}"


@UNIT
def test_every_module_of_the_edition_imports_or_says_why_not(unit, tmp_path):
    for path, text in student_edition(unit).items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, "utf-8")
    modules = [
        str(path.with_suffix("")).replace("/", ".").removesuffix(".__init__")
        for path in student_edition(unit)
        if path.suffix == ".py"
    ]
    code = f"""
import importlib, pathlib
for name in {modules!r}:
    try:
        module = importlib.import_module(name)
        assert pathlib.Path(module.__file__).is_relative_to({str(tmp_path)!r}), module.__file__
    except ImportError as error:
        print(f"{{name}}: {{error}}")
"""
    run = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    absent = run.stdout.splitlines()
    assert {line.partition(":")[0] for line in absent} == {f"course_lib.{answer}" for answer in hidden_answers(unit)}
    for line in absent:
        assert re.search(r"holds answers of unit \d\d .*: write your own in the notebook", line)


UNIT_05 = Unit("05", "masks", "Masks", "", answers=("nn.masks.combine",))


def test_a_single_name_is_taken_out_of_its_module():
    source = "import torch\n\n\n@torch.no_grad()\ndef combine(a, b):\n    return a | b\n\n\ndef keep():\n    return 1\n"
    path = PurePosixPath("course_lib/nn/masks.py")
    text = without_answer({path: source}, "nn.masks.combine", UNIT_05)[path]
    assert "a | b" not in text
    assert "no_grad" not in text
    names = {}
    exec(text, names)
    assert names["keep"]() == 1
    with pytest.raises(NotImplementedError, match=r"combine is an answer of unit 05 \(Masks\)"):
        names["combine"](1, 2)


def test_a_package_is_taken_out_whole():
    files = {PurePosixPath(p): "x = 1\n" for p in ("course_lib/models/__init__.py", "course_lib/models/vit.py")}
    kept = without_answer(files, "models", UNIT_05)
    assert list(kept) == [PurePosixPath("course_lib/models/__init__.py")]
    assert "raise ImportError" in kept[PurePosixPath("course_lib/models/__init__.py")]


def test_the_same_release_gives_the_same_bundle_but_for_its_date(bundles, tmp_path):
    again = init_class(tmp_path / "class")
    for unit, bundle in bundles.items():
        assert members(release_unit(again, unit)) == members(bundle)


def members(bundle):
    with zipfile.ZipFile(bundle) as archive:
        return [(name, archive.read(name)) for name in archive.namelist()]


def test_files_in_a_bundle_have_the_time_of_its_release(tmp_path, monkeypatch):
    class Clock(datetime):
        @classmethod
        def now(cls):
            return cls(2031, 5, 6, 7, 8, 10)

    monkeypatch.setattr(release, "datetime", Clock)
    with zipfile.ZipFile(release_unit(init_class(tmp_path / "class"), written_units()[0])) as archive:
        assert {member.date_time for member in archive.infolist()} == {(2031, 5, 6, 7, 8, 10)}
