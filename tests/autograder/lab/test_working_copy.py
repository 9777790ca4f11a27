"""A student's copy: never overwritten once worked in, and never silently out of date."""

from dataclasses import dataclass
from pathlib import Path

import nbformat
import pytest

from autograder.course.units import Unit, find_unit
from autograder.lab.working_copy import require_folder, working_copy


@dataclass(frozen=True)
class UnitElsewhere(Unit):
    """A unit whose release a test may change."""

    path: Path = Path()

    @property
    def notebook(self) -> Path:
        return self.path


@pytest.fixture
def unit(tmp_path):
    real = find_unit("01")
    path = tmp_path / "course" / real.notebook.name
    path.parent.mkdir()
    path.write_bytes(real.notebook.read_bytes())
    return UnitElsewhere("01", real.name, real.title, real.summary, points=40, path=path)


@pytest.fixture
def mine(tmp_path):
    return require_folder(tmp_path / "mine")


def edit(path, index=3, text="my words", **changes):
    notebook = nbformat.read(path, as_version=4)
    notebook.cells[index].source = text
    notebook.cells[index].update(changes)
    nbformat.write(notebook, path)


def test_a_copy_has_the_cells_of_the_release(unit, mine):
    copy = working_copy(unit, mine)
    assert copy.note == ""
    assert nbformat.read(copy.path, as_version=4).cells == nbformat.read(unit.notebook, as_version=4).cells
    nbformat.validate(nbformat.read(copy.path, as_version=4))
    assert copy.path.parent == mine


def test_work_is_kept_while_the_release_stays(unit, mine):
    copy = working_copy(unit, mine)
    edit(copy.path)
    before = copy.path.read_bytes()
    assert working_copy(unit, mine) == copy
    assert copy.path.read_bytes() == before


def test_an_untouched_copy_follows_the_release(unit, mine):
    working_copy(unit, mine)
    edit(unit.notebook, text="a better sentence")
    copy = working_copy(unit, mine)
    assert "replaced by the latest release" in copy.note
    assert nbformat.read(copy.path, as_version=4).cells[3].source == "a better sentence"
    assert working_copy(unit, mine).note == ""


@pytest.mark.parametrize("work", ["written", "run", "broken", "gone"])
def test_work_is_kept_when_the_release_changes(unit, mine, work):
    path = working_copy(unit, mine).path
    if work == "written":
        edit(path)
    elif work == "run":
        notebook = nbformat.read(path, as_version=4)
        next(cell for cell in notebook.cells if cell.cell_type == "code").execution_count = 1
        nbformat.write(notebook, path)
    elif work == "broken":
        path.write_text("{ not a notebook")
    else:
        path.write_text("")
    before = path.read_bytes()
    edit(unit.notebook, text="a better sentence")
    copy = working_copy(unit, mine)
    assert copy.path == path
    assert "kept as it is" in copy.note
    assert "`course lab 01 --new` puts the latest release beside it" in copy.note
    assert path.read_bytes() == before
    new = working_copy(unit, mine, new=True)
    assert new.path == mine / f"{unit.full_name}_new.ipynb"
    assert nbformat.read(new.path, as_version=4).cells[3].source == "a better sentence"
    assert path.read_bytes() == before


def test_the_new_copy_is_named_and_itself_never_overwritten(unit, mine):
    path = working_copy(unit, mine).path
    edit(path)
    edit(unit.notebook, text="second")
    new = working_copy(unit, mine, new=True).path
    assert f"lies beside yours as {new.name}" in working_copy(unit, mine).note
    edit(new, text="work in the second")
    assert working_copy(unit, mine, new=True).path == new
    edit(unit.notebook, text="third")
    third = working_copy(unit, mine, new=True).path
    assert third == mine / f"{unit.full_name}_new2.ipynb"
    assert nbformat.read(new, as_version=4).cells[3].source == "work in the second"
    assert nbformat.read(path, as_version=4).cells[3].source == "my words"


def test_new_keeps_a_copy_that_is_up_to_date(unit, mine):
    path = working_copy(unit, mine).path
    edit(path)
    before = path.read_bytes()
    copy = working_copy(unit, mine, new=True)
    assert (copy.path, path.read_bytes()) == (path, before)
    assert "of the latest release already" in copy.note


def test_a_copy_that_came_otherwise_is_known_by_its_checks(unit, mine):
    path = mine / unit.notebook.name
    path.write_bytes(unit.notebook.read_bytes())  # unpacked from a bundle, say
    edit(path)
    assert working_copy(unit, mine).note == ""
    notebook = nbformat.read(unit.notebook, as_version=4)
    check = next(cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade"))
    check.source += "\n"
    nbformat.write(notebook, unit.notebook)
    assert "has changed since" in working_copy(unit, mine).note
