"""Every reader of outside data, with inputs for it and what must hold: a value or a sentence, and nothing else."""

import contextlib
import csv
import io
import json
import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import nbformat
from builders.records import Page
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from nbformat import NotebookNode

from autograder.classroom.due_date import read_due
from autograder.classroom.filename_rules import student_of
from autograder.classroom.found_files import Found, find_files
from autograder.classroom.notes import read_note, read_timestamp
from autograder.classroom.roster import read_roster
from autograder.classroom.settings import SETTINGS, read_settings
from autograder.classroom.student_id import require_student_id
from autograder.course.cells import grade_id
from autograder.course.safe_text import UNSEEN, inert_cell_text, json_text, printable, readable
from autograder.course.submitted_notebook import Rejected, read_notebook, rebuild
from autograder.course.units import find_unit
from autograder.course.without_outputs import LEFT_OUT, TooMuch, without_outputs
from autograder.errors import CourseError
from autograder.gradebook.record import Damaged, GradeRecord
from autograder.nbgrader_plugins.safe_html import TAGS, inert_html
from autograder.outside_files import Refused, files_below, read_below
from autograder.reports.student_answers import read_graded_notebook
from autograder.terminal.console import Console
from fuzz import inputs

UNIT = find_unit("01")
SENTENCES = (CourseError, Rejected)
SECRET = b"the secret of the class"


@dataclass(frozen=True)
class Reader:
    """`holds` raises if a reader does anything with an input but what it should."""

    reads: str
    inputs: SearchStrategy
    holds: Callable[[object], None]


@contextlib.contextmanager
def empty_folder():
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


def one_sentence(error: Exception) -> None:
    """What a person reads is there, is short, and no terminal obeys it once it is shown."""
    assert str(error)
    assert len(str(error)) < 20_000
    assert "Traceback" not in str(error)


@cache
def released() -> NotebookNode:
    return nbformat.from_dict(inputs.small_notebook())


def notebooks(data: bytes) -> None:
    try:
        submitted = read_notebook(data)
        notebook, repairs = rebuild(submitted, released())
    except Rejected as error:
        one_sentence(error)
        return
    nbformat.validate(notebook)
    json.dumps(notebook, ensure_ascii=False).encode("utf-8")
    assert all(repairs)
    names = {grade_id(cell): cell for cell in notebook.cells if grade_id(cell)}
    assert set(names) == {"double", "test_double"}
    assert names["test_double"] == released().cells[2]


def graded_notebooks(data: bytes) -> None:
    """As the report reads them, which leaves out what it cannot read."""
    with empty_folder() as folder:
        (folder / "graded.ipynb").write_bytes(data)
        with contextlib.suppress(CourseError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            read_graded_notebook(folder / "graded.ipynb")


def outputs_left_out(content: object) -> None:
    data = json.dumps(content).encode()
    try:
        lean = without_outputs(data, len(data))
    except TooMuch:
        return
    again = json.loads(lean)
    if isinstance(content, dict) and isinstance(content.get("cells"), list):
        for cell in content["cells"]:
            if isinstance(cell, dict) and "outputs" in cell:
                cell["outputs"] = [LEFT_OUT]
        if all(not isinstance(value, list) or name == "cells" for name, value in content.items()):
            assert json.dumps(again) == json.dumps(content)


def zips(data: bytes) -> None:
    with empty_folder() as folder:
        (folder / "in.zip").write_bytes(data)
        for found in find_files([folder / "in.zip"], folder / "class"):
            if not isinstance(found, Found):
                assert found.problem
                continue
            with contextlib.suppress(CourseError):
                student = require_student_id(student_of(found.path, UNIT))
                target = Path("/class/submitted", student, UNIT.full_name, UNIT.notebook.name)
                assert Path(os.path.normpath(target)) == target


def trees(tree: list) -> None:
    with empty_folder() as folder:
        (folder / "secret").mkdir()
        (folder / "secret" / "01_unit.ipynb").write_bytes(SECRET)
        root = folder / "submitted"
        root.mkdir()
        inputs.plant(root, folder / "secret" / "01_unit.ipynb", tree)
        for names, _ in tree:
            with contextlib.suppress(Refused):
                assert read_below(root, root.joinpath(*names), 100) == b"mine"
        for path, refused in files_below(root):
            assert refused or path.resolve().is_relative_to(root.resolve())
        for found in find_files([root], folder / "class"):
            assert not isinstance(found, Found) or SECRET not in found.data


def timestamps(data: bytes) -> None:
    with empty_folder() as folder:
        (folder / "timestamp.txt").write_bytes(data)
        try:
            text = read_note(folder, folder / "timestamp.txt")
            moment = read_timestamp(text or "", folder / "timestamp.txt")
        except CourseError as error:
            one_sentence(error)
        else:
            assert moment is None or moment.tzinfo is None


def rosters(data: bytes) -> None:
    with empty_folder() as folder:
        (folder / "roster.csv").write_bytes(data)
        try:
            roster = read_roster(folder / "roster.csv")
        except CourseError as error:
            one_sentence(error)
            return
    assert len({person.id for person in roster.people}) == len(roster.people) > 0
    for person in roster.people:
        assert require_student_id(person.id) == person.id
        for text in (person.first_name, person.last_name, person.email, person.lms_user_id):
            assert text.isprintable()
            assert not set("<>") & set(text)


def settings(data: bytes) -> None:
    with empty_folder() as folder:
        (folder / SETTINGS).write_bytes(data)
        try:
            read = read_settings(folder)
        except CourseError as error:
            one_sentence(error)
        else:
            assert read.days_more("ada", UNIT.full_name) >= 0


def due_dates(text: str) -> None:
    try:
        read_due(text)
    except CourseError as error:
        one_sentence(error)


def paths(path: str) -> None:
    try:
        student = require_student_id(student_of(path, UNIT))
    except CourseError as error:
        one_sentence(error)
    else:
        assert student.isprintable()
        assert "/" not in student
        assert student not in ("", ".", "..")


def records(data: bytes) -> None:
    try:
        record = GradeRecord.from_json(json.loads(data))
    except (Damaged, ValueError, RecursionError):
        return
    with contextlib.suppress(ValueError):  # a number that JSON does not know
        assert GradeRecord.from_json(json.loads(json_text(record.to_json()))) == record


def texts(text: str) -> None:
    """Wherever a text is shown."""
    assert not UNSEEN.search(readable(text))
    assert all(letter.isprintable() or letter == "\n" for letter in printable(text))
    assert json.loads(json_text([text])) == json.loads(json.dumps([text]))
    assert not UNSEEN.search(json_text([text]))
    json_text([text]).encode("utf-8")
    terminal = io.StringIO()
    Console(file=terminal, highlight=False, force_terminal=True, color_system=None).print(text, markup=False)
    assert not UNSEEN.search(terminal.getvalue())
    row = io.StringIO(newline="")
    csv.writer(row).writerow([inert_cell_text(text)])
    assert not row.getvalue().lstrip('" ').startswith(("=", "+", "-", "@"))
    page = Page(inert_html(text))
    assert {tag for tag, _ in page.tags} <= TAGS
    assert not any(attributes for _, attributes in page.tags)
    assert not any(command in page.html for command in ("\\href", "\\style", "\\class", "\\url", "\\mmlToken"))


RECORD = json.loads((Path(__file__).parent / "record.json").read_text("utf-8"))
MARKDOWN = st.lists(
    st.one_of(
        inputs.TEXTS,
        st.sampled_from(
            [
                *(
                    "[x](javascript:y)",
                    "![x](y.svg)",
                    "<a href=x>",
                    "<svg onload=x>",
                    "\\href{x}{y}",
                    "$",
                    "$$",
                    "\\",
                    "`",
                ),
                *(
                    "<details>",
                    "\n\n",
                    "- ",
                    "| ",
                    "\\style{x}{y}",
                    "<http://x>",
                    "\\(",
                    "&#104;",
                    "```mermaid\n",
                    "href",
                ),
            ]
        ),
    ),
    max_size=8,
).map("".join)

READERS = {
    "notebooks": Reader("a notebook as JSON: types, depth, encodings, ids, metadata", inputs.NOTEBOOKS, notebooks),
    "graded notebooks": Reader("a notebook that grading wrote, damaged", inputs.NOTEBOOKS, graded_notebooks),
    "outputs": Reader(
        "a notebook whose outputs are left out unparsed", inputs.damaged_json(inputs.small_notebook()), outputs_left_out
    ),
    "zips": Reader("a zip file: names, links, nesting, encodings, duplicates", inputs.zips(), zips),
    "trees": Reader("folders with pipes, links, sockets and large files in them", inputs.trees(), trees),
    "timestamps": Reader("the timestamp beside a notebook", inputs.STAMP_FILES, timestamps),
    "rosters": Reader("a list of students as csv", inputs.rosters(), rosters),
    "settings": Reader("the settings of a class", inputs.settings_files(), settings),
    "due dates": Reader("a date that an instructor types", inputs.STAMPS, due_dates),
    "paths": Reader("the path of a file that names its student", inputs.NAMES, paths),
    "records": Reader("the record of a grade, of this version or an older one", inputs.json_files(RECORD), records),
    "texts": Reader("a name, a message or an answer, wherever it is shown", MARKDOWN, texts),
}
