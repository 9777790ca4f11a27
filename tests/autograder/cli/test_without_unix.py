"""On Windows students can work, and instructors can do all but grade."""

import re
import shutil
import sys
import types
import urllib.error
import urllib.request

import pytest
from builders.without_unix import BY_NAME, run_without_unix, start_without_unix

from autograder.classroom import lock
from autograder.classroom.lock import class_lock
from autograder.course.notebooks import solution_notebook, write_notebook
from autograder.course.units import NOTEBOOKS, find_unit
from autograder.errors import CourseError

NEEDS_LINUX = "grading needs Linux: run this there, or in the course's container"


@pytest.fixture
def folder(tmp_path):
    place = tmp_path / "a folder"
    place.mkdir()
    return place


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--version"], "transformer-course "),
        (["--help"], "For students"),
        (["lab", "99"], "there is no unit '99'"),
        (["check", "nowhere.ipynb"], "nowhere.ipynb cannot be read"),
        (["check", "--full", str(NOTEBOOKS / "00_start_here.ipynb")], NEEDS_LINUX),
        (["demo"], NEEDS_LINUX),
        (["worker", "tcp://10.0.0.1:8786"], NEEDS_LINUX),
    ],
)
def test_without_anything_of_unix(folder, arguments, said):
    assert said in run_without_unix(folder, *arguments, by_name=())[1]


def test_a_student_checks_a_notebook(folder):
    (folder / "mine.ipynb").write_text(write_notebook(solution_notebook(find_unit("00"))), "utf-8")
    code, said = run_without_unix(folder, "check", "mine.ipynb")
    assert code == 0, said
    assert "4 points: checks pass · 6: answered, graded later" in said


def page_at(address, process):
    """The page that a server shows, which prints its address a moment before it answers there."""
    while True:
        try:
            with urllib.request.urlopen(address, timeout=60) as page:
                return page.read().decode()
        except urllib.error.URLError:
            assert process.poll() is None


def test_a_student_opens_jupyterlab(folder):
    options = ("--folder", "mine", "--no-browser", "--port", "0")
    process = start_without_unix(folder, "lab", "00", *options)
    try:
        said = iter(process.stdout.readline, "")
        (address,) = next(found for line in said if (found := re.findall(r"http://127\.0\.0\.1:\S+", line)))
        assert "JupyterLab" in page_at(address, process)
    finally:
        process.terminate()
        process.communicate()
    assert (folder / "mine" / "00_start_here.ipynb").exists()


def test_doctor_looks_around(folder):
    said = run_without_unix(folder, "doctor")[1]
    for name in ("Python", "torch", "jupyterlab", "kernel python3"):
        assert f"✓ {name}" in said
    assert "Traceback" not in said


def test_an_instructor_does_all_but_grade(class_of_two, folder):
    shutil.copytree(class_of_two.root, folder / "class")
    (folder / "people.csv").write_text("id,name\neve,Eve Early\n", "utf-8")
    for arguments, said in (
        (["init", "new"], "Made the class directory new"),
        (["roster", "class", "people.csv"], "1 added"),
        (["release", "new", "00"], "Give students this bundle"),
        (["export", "class"], "Wrote the scores of 3 students"),
        (["history", "class", "01", "ada"], "the first grade"),
        (["feedback", "class", "01"], "Wrote 2 pages"),
        (["report", "class", "01"], "Open the report in a browser"),
    ):
        packages = (*BY_NAME, "torch") if arguments[0] in ("feedback", "report") else BY_NAME
        code, told = run_without_unix(folder, *arguments, by_name=packages)
        assert code == 0, told
        assert said in told
    assert NEEDS_LINUX in run_without_unix(folder, "grade", "class", "01", by_name=())[1]


def test_the_lock_of_a_class_on_windows(tmp_path, monkeypatch):
    """Windows locks bytes: the holder's name must stay readable, so it locks one behind it."""
    held = set()

    def locking(file, mode, size):
        place = lock.os.lseek(file, 0, lock.os.SEEK_CUR)
        if place in held:
            raise OSError
        held.add(place)

    monkeypatch.setitem(sys.modules, "fcntl", None)
    monkeypatch.setitem(sys.modules, "msvcrt", types.SimpleNamespace(LK_NBLCK=2, locking=locking))
    with (
        class_lock(tmp_path, "grading"),
        pytest.raises(CourseError, match=r"someone else is at work in .* grading since"),
        class_lock(tmp_path, "importing a roster"),
    ):
        pass
    assert min(held) > (tmp_path / lock.LOCK).stat().st_size


def test_a_user_whom_the_system_cannot_name_can_lock_a_class(tmp_path, monkeypatch):
    """Such as one whose number a container was started with."""
    for variable in ("LOGNAME", "USER", "LNAME", "USERNAME"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr("pwd.getpwuid", {}.__getitem__)
    with class_lock(tmp_path, "grading"):
        assert (tmp_path / lock.LOCK).read_text("utf-8").startswith("someone on ")
