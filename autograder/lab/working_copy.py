"""A student's own copy of a unit's notebook; its metadata records the release it was made from."""

import hashlib
import itertools
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from nbformat import NotebookNode

from autograder.atomic_files import write_beside
from autograder.course.cells import is_answer, named_cells
from autograder.course.notebooks import write_notebook
from autograder.course.submitted_notebook import LARGEST_FILE, Rejected, read_notebook, without_huge_outputs
from autograder.course.units import HOW_TO_MEND, NOTEBOOKS, SOURCES, Unit
from autograder.errors import CourseError
from autograder.outside_files import Refused, read_named

METADATA = "course"  # our key in the notebook's metadata, which is kept when the file is moved or renamed


@dataclass(frozen=True)
class WorkingCopy:
    """The path of the copy, and a note for its owner before opening it."""

    path: Path
    note: str = ""


def require_folder(folder: Path) -> Path:
    """The folder for working copies, made if need be; a CourseError if a student cannot work there."""
    path = folder.resolve()
    if any(path == ours or ours in path.parents for ours in (NOTEBOOKS, SOURCES)):
        raise CourseError(f"{folder} holds the course's own files: name another folder for your copies with --folder")
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _not_writable(folder, error.strerror) from None
    if not os.access(path, os.W_OK | os.X_OK):
        raise _not_writable(folder, "permission denied")
    return path


def working_copy(unit: Unit, folder: Path, new: bool = False) -> WorkingCopy:
    """The copy of a unit in a folder, made if missing; a copy that the student changed is never overwritten.

    With `new`, a copy of the latest release, under another name if there are changed copies of earlier releases.
    """
    released = _released(unit)
    if not new:
        return _open_or_update(unit, folder / unit.notebook.name, released)
    for path in _names(unit, folder):
        if not path.exists() or _is_untouched(path):
            _write(path, released)
            return WorkingCopy(path, f"{path.name} is the latest release of unit {unit.id}.")
        if _is_of(path, released):
            return WorkingCopy(path, f"{path.name} is of the latest release already, and is kept as it is.")
    raise AssertionError("_names is endless")


def fingerprint(notebook: NotebookNode) -> str:
    """A hash of types and sources of the cells, without outputs."""
    cells = [[cell.cell_type, cell.source] for cell in notebook.cells]
    return hashlib.sha256(json.dumps(cells).encode()).hexdigest()[:16]


def _open_or_update(unit: Unit, path: Path, released: NotebookNode) -> WorkingCopy:
    if not path.exists():
        _write(path, released)
        return WorkingCopy(path)
    if _read(path) is None:
        return WorkingCopy(path, f"{path.name} cannot be read as a notebook. It is kept as it is. {_advice(unit)}")
    if _is_of(path, released):
        return WorkingCopy(path)
    if _is_untouched(path):
        _write(path, released)
        return WorkingCopy(path, f"{path.name} has been replaced by the latest release: you had not worked in it yet.")
    other = next((other for other in _names(unit, path.parent) if not other.exists() or _is_of(other, released)), None)
    where = f"It lies beside yours as {other.name}." if other and other.exists() else _advice(unit)
    return WorkingCopy(
        path, f"Unit {unit.id} has changed since {path.name} was made. Your work is kept as it is. {where}"
    )


def _advice(unit: Unit) -> str:
    return f"`course lab {unit.id} --new` puts the latest release beside it."


def _names(unit: Unit, folder: Path) -> Iterator[Path]:
    yield folder / unit.notebook.name
    for number in itertools.count(1):
        yield folder / f"{unit.full_name}_new{number if number > 1 else ''}.ipynb"


def _released(unit: Unit) -> NotebookNode:
    try:
        return read_notebook(unit.notebook.read_bytes())
    except OSError:
        raise CourseError(f"{unit.notebook} is missing: {HOW_TO_MEND}") from None
    except Rejected as problem:
        raise CourseError(f"{unit.notebook} is broken ({problem}): {HOW_TO_MEND}") from None


def _write(path: Path, released: NotebookNode) -> None:
    notebook = released.copy()
    notebook.metadata = released.metadata | {METADATA: {"release": fingerprint(released)}}
    try:
        write_beside(path, write_notebook(notebook))
    except OSError as error:
        raise _not_writable(path.parent, error.strerror) from None


def _read(path: Path) -> NotebookNode | None:
    try:
        return read_notebook(read_named(path, LARGEST_FILE))
    except (Refused, Rejected):
        return None


def _noted_release(notebook: NotebookNode) -> str | None:
    noted = notebook.metadata.get(METADATA)
    return noted.get("release") if isinstance(noted, dict) else None


def _is_untouched(path: Path) -> bool:
    """Whether the copy is unchanged since it was made: nothing written, nothing run."""
    notebook = _read(path)
    if notebook is None:
        return False
    # `read_notebook` leaves out what a run left
    saved = json.loads(without_huge_outputs(read_named(path, LARGEST_FILE)))
    ran = any(cell.get("outputs") or cell.get("execution_count") for cell in saved["cells"] if isinstance(cell, dict))
    return not ran and _noted_release(notebook) == fingerprint(notebook)


def _is_of(path: Path, released: NotebookNode) -> bool:
    """Whether the copy was made from this release; without a record of it, by comparing exercises and checks."""
    notebook = _read(path)
    if notebook is None:
        return False
    noted = _noted_release(notebook)
    if noted is not None:
        return noted == fingerprint(released)
    return _fixed_parts(released).items() <= _fixed_parts(notebook).items()


def _fixed_parts(notebook: NotebookNode) -> dict[str, str]:
    return {name: "" if is_answer(cell) else cell.source for name, cell in named_cells(notebook)}


def _not_writable(folder: Path, reason: str | None) -> CourseError:
    return CourseError(
        f"{folder} cannot hold your copies of the notebooks ({reason}): name a folder of your own with --folder"
    )
