"""A canary in a hidden test stops every writer of files for students."""

import subprocess
import sys
import zipfile

import nbformat
import pytest
from builders.submissions import put_submission
from nbformat.v4 import new_markdown_cell, new_output

from autograder.classroom import release
from autograder.classroom.directory import init_class
from autograder.classroom.release import release_unit
from autograder.course.units import find_unit
from autograder.errors import CourseError
from autograder.reports.feedback.write import write_feedback

UNIT = find_unit("00")


@pytest.fixture
def directory(tmp_path):
    directory = init_class(tmp_path / "class")
    release_unit(directory, UNIT)
    return directory


def rewrite(path, change):
    notebook = nbformat.read(path, as_version=4)
    change(notebook)
    nbformat.write(notebook, path)


def test_hidden_tests_carry_it_and_what_students_get_does_not(directory):
    source = (directory.root / "source" / UNIT.full_name / UNIT.notebook.name).read_text("utf-8")
    hidden = source.count("### BEGIN HIDDEN TESTS")
    assert source.count(directory.canary) == hidden > 0
    assert directory.canary not in directory.released(UNIT).read_text("utf-8")
    with zipfile.ZipFile(directory.root / "release" / f"{UNIT.full_name}.zip") as bundle:
        assert not any(directory.canary.encode() in bundle.read(name) for name in bundle.namelist())


def test_nbgrader_does_not_release_it(directory):
    """A hidden test outside its marks, as when an instructor edits the source."""
    source = directory.root / "source" / UNIT.full_name / UNIT.notebook.name
    rewrite(source, lambda notebook: notebook.cells.append(new_markdown_cell(directory.canary, id="slip")))
    directory.released(UNIT).unlink()
    command = [sys.executable, "-m", "nbgrader", "generate_assignment", UNIT.full_name, "--force"]
    done = subprocess.run(command, cwd=directory.root, capture_output=True, text=True)
    assert done.returncode != 0
    assert "would show hidden tests to students" in done.stderr
    assert not (directory.root / "release" / UNIT.full_name / UNIT.notebook.name).exists()


def test_the_bundle_is_not_written_with_it(directory, monkeypatch):
    bundle = directory.root / "release" / f"{UNIT.full_name}.zip"
    bundle.unlink()
    edition = release.student_edition(UNIT)
    leaky = edition | {next(iter(edition)): f"# {directory.canary}"}
    monkeypatch.setattr(release, "student_edition", lambda unit: leaky)
    with pytest.raises(CourseError, match="in the bundle would show hidden tests"):
        release_unit(directory, UNIT)
    assert not bundle.exists()


@pytest.mark.xdist_group("class")
def test_only_the_feedback_page_with_it_is_not_written(directory, course):
    released = directory.released(UNIT).read_bytes()
    for student in ("leaky", "tight"):
        put_submission(directory, UNIT, student, released)
    course("grade", directory.root, UNIT.id)
    graded = directory.root / "autograded" / "leaky" / UNIT.full_name / UNIT.notebook.name

    def leak(notebook):
        cell = next(cell for cell in notebook.cells if cell.cell_type == "code")
        cell.outputs = [new_output("stream", text=directory.canary)]

    rewrite(graded, leak)
    with pytest.raises(CourseError, match="leaky"):
        write_feedback(directory, UNIT)
    written = [page.parts[-3] for page in directory.root.glob("feedback/*/*/*.html")]
    assert written == ["tight"]
