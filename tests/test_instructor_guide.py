"""docs/instructor.md, followed line by line: its commands run, and its samples are what they write."""

import csv
import getpass
import io
import os
import re
import shlex
import subprocess
import sys
import zipfile
from pathlib import Path

import nbformat
import pytest

from autograder.classroom.directory import ClassDirectory
from autograder.course.cells import grade_id, is_answer
from autograder.course.notebooks import solution_notebook, student_notebook, write_notebook
from autograder.course.units import ROOT, find_unit
from autograder.demo.stories import fill_in
from autograder.gradebook.export import export_scores

pytestmark = pytest.mark.xdist_group("class")

GUIDE = (ROOT / "docs" / "instructor.md").read_text("utf-8")
UNIT = find_unit("01")
SCRIPTS = Path(sys.executable).parent
EXCHANGE = "/srv/nbgrader/exchange"
ELSEWHERE = {  # what runs for good, or needs another machine, is tested where it can be
    "dask scheduler": "tests/autograder/grading/test_dask_worker.py",
    "course worker tcp://HOST:8786": "tests/autograder/grading/test_dask_worker.py",
    "course grade my-class 01 --scheduler tcp://HOST:8786": "tests/autograder/grading/test_dask_worker.py",
    "course init my-class --db postgresql://grader@localhost/grades": "tests/autograder/grading/test_dask_worker.py",
    "cd my-class && jupyter lab": "tests/autograder/nbgrader_plugins/test_stock_nbgrader.py",
}


ANSWERS = {grade_id(cell): cell.source for cell in solution_notebook(UNIT).cells if is_answer(cell)}


def blocks(language):
    found = re.findall(r"^```(\w*)\n(.*?)^```$", GUIDE, flags=re.MULTILINE | re.DOTALL)
    return [text for name, text in found if name == language]


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A desk with a roster, and a zip file as Canvas gives it."""
    place = tmp_path_factory.mktemp("guide")
    (place / "desk").mkdir()
    (place / "config").mkdir()
    exchange = place / "exchange"
    exchange.mkdir()
    exchange.chmod(0o777)
    (place / "students.csv").write_text(blocks("csv")[0], "utf-8")
    with zipfile.ZipFile(place / "submissions.zip", "w") as archive:
        notebook = write_notebook(fill_in(student_notebook(UNIT), ANSWERS))
        archive.writestr(f"studentfirst_12345_67890_{UNIT.notebook.name}", notebook)
    settings = "\n".join(block.replace(EXCHANGE, str(exchange)) for block in blocks("python"))
    (place / "config" / "nbgrader_config.py").write_text(f"c = get_config()\n{settings}", "utf-8")
    return place


def fill_in_file(path):
    """What a student does between fetching and handing in."""
    path.write_text(write_notebook(fill_in(nbformat.read(path, as_version=4), ANSWERS)), "utf-8")


@pytest.fixture(scope="module")
def said(needs_sandbox, place):
    """What each command of the guide printed, in its order."""
    env = os.environ | {
        "PATH": os.pathsep.join([str(SCRIPTS), os.environ["PATH"]]),
        "PYTHONPATH": str(ROOT),
        "JUPYTER_CONFIG_DIR": str(place / "config"),
        "JUPYTER_DATA_DIR": str(place / "data"),
        "COLUMNS": "120",
    }
    printed = {}
    for block in blocks(""):
        lines = block.splitlines()
        if not lines[0].startswith(("course ", "nbgrader ", "# ", "dask ", "cd ")):
            continue  # the listing of the class directory
        where = {"# in the class directory": place / "my-class", "# as a student": place / "desk"}.get(lines[0], place)
        for line in lines:
            if line.startswith("#") or line in ELSEWHERE:
                continue
            done = subprocess.run(shlex.split(line), cwd=where, env=env, capture_output=True, text=True)
            assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
            printed[line] = done.stdout + done.stderr
            if line.startswith("nbgrader fetch_assignment"):
                fill_in_file(where / UNIT.full_name / UNIT.notebook.name)
        if any(line.startswith("course init") and line not in ELSEWHERE for line in lines):
            (place / "my-class" / "course.toml").write_text("\n".join(blocks("toml")), "utf-8")
    return printed


def test_every_command_runs(said):
    assert "2 added" in said["course roster my-class students.csv"]
    assert "36 of 40" in said["course grade my-class 01"]
    assert "0 of 1 scores would move" in said["course grade my-class 01 --force --dry-run"]
    assert "the first grade" in said["course history my-class 01 12345"]


def test_what_is_tested_elsewhere_is_in_the_guide():
    lines = [line for block in blocks("") for line in block.splitlines()]
    for line, path in ELSEWHERE.items():
        assert line in lines
        assert (ROOT / path).exists()


def test_the_exchange_carries_the_library_the_answers_and_the_feedback(said, place):
    mine = place / "desk" / UNIT.full_name
    assert (mine / "course_lib" / "checks" / "__init__.py").exists()
    assert "softmax(" not in (mine / "course_lib" / "nn" / "attention.py").read_text("utf-8")
    assert (mine / "START_HERE.md").exists()
    assert f"{getpass.getuser()}: 36 of 40" in said["course grade . 01"]
    (page,) = mine.rglob("*.html")
    assert "36 of 40" in re.sub(r"<.*?>", "", page.read_text("utf-8"))
    directory = ClassDirectory(place / "my-class")
    assert directory.timestamp(directory.submission(getpass.getuser(), UNIT).parent) is not None


@pytest.mark.parametrize("form", ["csv", "canvas", "moodle"])
def test_samples_are_what_export_writes(said, place, form):
    sample = {"csv": "student_id,first_name,last_name,email,01", "canvas": "Student,ID", "moodle": "Username"}[form]
    (block,) = [block for block in blocks("csv") if block.startswith(sample)]
    written = place / f"samples-{form}.csv"
    export_scores(ClassDirectory(place / "my-class"), form, written)
    told, found = (list(csv.reader(io.StringIO(text))) for text in (block, written.read_text("utf-8")))
    assert told[0] == found[0]
    assert told[-1] == next(row for row in found if "12346" in row)
    assert {len(row) for row in told} == {len(found[0])}
