"""nbgrader's exchange, as on JupyterHub: released, fetched, handed in, collected, graded and given back."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from autograder.build import write_notebook
from autograder.class_directory import ClassDirectory, init_class
from autograder.demo import fill_in
from autograder.grading import grade_class
from autograder.release import release_unit

pytestmark = pytest.mark.xdist_group("class")

SCRIPTS = Path(sys.executable).parent


@pytest.fixture
def exchange(tmp_path):
    """A place that both sides see, and a command for each; the student has a home of their own."""
    place = tmp_path / "exchange"
    place.mkdir()
    place.chmod(0o777)

    def nbgrader(folder, *arguments):
        env = os.environ | {
            "PATH": os.pathsep.join([str(SCRIPTS), os.environ["PATH"]]),
            "HOME": str(tmp_path / "home"),
            "JUPYTER_DATA_DIR": str(tmp_path / "home" / "data"),
            "JUPYTER_CONFIG_DIR": str(tmp_path / "home" / "config"),
        }
        done = subprocess.run(
            [SCRIPTS / "nbgrader", *arguments, f"--Exchange.root={place}"],
            cwd=folder,
            env=env,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    return nbgrader


def test_from_release_to_feedback(exchange, unit, answers, tmp_path):
    directory = init_class(tmp_path / "class")
    release_unit(directory, unit)
    exchange(directory.root, "release_assignment", unit.full_name)

    desk = tmp_path / "desk"
    desk.mkdir()
    exchange(desk, "fetch_assignment", unit.full_name, "--course", "class")
    mine = desk / unit.full_name
    assert (mine / "course_lib" / "checks" / "__init__.py").exists()
    assert (mine / "START_HERE.md").exists()
    assert not (mine / "course_lib" / "attention.py").read_text("utf-8").count("softmax(")
    path = mine / unit.notebook.name
    assert path.read_bytes() == directory.released(unit).read_bytes()
    path.write_text(write_notebook(fill_in(nbformat.read(path, as_version=4), answers)), "utf-8")
    exchange(desk, "submit", unit.full_name, "--course", "class")

    exchange(directory.root, "collect", unit.full_name)
    (student,) = directory.students(unit)
    (result,) = grade_class(ClassDirectory(directory.root), unit)
    assert (result.student, result.score) == (student, 36)
    assert directory.timestamp(directory.submission(student, unit).parent) is not None

    exchange(directory.root, "generate_feedback", unit.full_name)
    exchange(directory.root, "release_feedback", unit.full_name)
    exchange(desk, "fetch_feedback", unit.full_name, "--course", "class")
    assert list(mine.rglob("*.html"))


def test_without_the_bundle_the_release_is_refused(exchange, unit, tmp_path):
    directory = init_class(tmp_path / "class")
    release_unit(directory, unit)
    (directory.root / "release" / f"{unit.full_name}.zip").unlink()
    with pytest.raises(AssertionError, match="run `course release` first"):
        exchange(directory.root, "release_assignment", unit.full_name)
    shutil.rmtree(tmp_path / "exchange")
