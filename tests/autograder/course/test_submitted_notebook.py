"""Submitted files: what cannot be read is refused with a sentence, what can be repaired is repaired and told."""

import copy
import json

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from autograder.course.cells import grade_id
from autograder.course.notebooks import student_notebook, write_notebook
from autograder.course.submitted_notebook import Rejected, add_repairs, read_notebook, read_repairs, rebuild
from autograder.course.units import find_unit


@pytest.fixture(scope="module")
def released():
    return student_notebook(find_unit("01"))


@pytest.fixture
def submitted(released):
    notebook = copy.deepcopy(released)
    cell(notebook, "gram_attention").source = "def gram_attention(X):\n    return X @ X.T @ X"
    return notebook


def cell(notebook, name):
    return next(c for c in notebook.cells if grade_id(c) == name)


def position(notebook, name):
    return [grade_id(c) for c in notebook.cells].index(name)


def names(notebook):
    return [grade_id(c) for c in notebook.cells if grade_id(c)]


TEXT = write_notebook(new_notebook(cells=[new_code_cell("1")]))


def test_cells_with_one_id_are_read_without_a_word():
    """A warning for each of them would fill the instructor's screen; in these tests it would be an error."""
    content = json.loads(TEXT)
    content["cells"] = [content["cells"][0] | {"source": source} for source in ("1", "2")]
    read = read_notebook(json.dumps(content).encode())
    assert [cell.source for cell in read.cells] == ["1", "2"]
    assert len({cell.id for cell in read.cells}) == 2


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "the file is empty"),
        (b" \n", "the file is empty"),
        (TEXT[:60].encode(), "breaks off or is damaged at line"),
        (TEXT.encode("utf-16"), "not UTF-8"),
        (b"[1, 2]", "not a Jupyter notebook"),
        (b'{"cells": []}', "not a Jupyter notebook"),
        (b'{"nbformat": 3, "nbformat_minor": 0, "metadata": {}, "worksheets": []}', "saved in format 3"),
        (b'{"nbformat": 4, "nbformat_minor": 5, "metadata": {}}', "the notebook is damaged"),
        (b'{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [7]}', "the notebook is damaged"),
        (b"[" * 100_000, "nested too deeply"),
        (b'"' + b"a" * 21_000_000 + b'"', "the file has 21 MB"),
    ],
    ids=["empty", "blank", "cut off", "UTF-16", "list", "no format", "old", "no cells", "no cell", "deep", "large"],
)
def test_unreadable_files_are_refused_with_a_sentence(data, sentence):
    with pytest.raises(Rejected, match=sentence):
        read_notebook(data)


def test_honest_work_is_left_as_it_is(submitted, released):
    rebuilt, repairs = rebuild(submitted, released)
    assert repairs == []
    assert [c.source for c in rebuilt.cells] == [c.source for c in submitted.cells]


def test_missing_cell_is_put_back(submitted, released):
    submitted.cells = [c for c in submitted.cells if grade_id(c) not in ("test_gram_attention", "not_additive")]
    rebuilt, repairs = rebuild(submitted, released)
    assert names(rebuilt) == names(released)
    assert repairs == [
        "the cell test_gram_attention was missing and has been put back",
        "the cell not_additive was missing and has been put back",
    ]


def test_of_two_copies_the_last_filled_in_one_counts(submitted, released):
    stub = copy.deepcopy(cell(released, "gram_attention"))
    submitted.cells.insert(position(submitted, "gram_attention") + 1, stub)
    rebuilt, repairs = rebuild(submitted, released)
    assert "return X @ X.T @ X" in cell(rebuilt, "gram_attention").source
    assert names(rebuilt) == names(released)
    assert repairs == ["the cell gram_attention appeared 2 times; the last one that was filled in counts"]
    nbformat.validate(rebuilt)


def test_edited_graded_cell_is_restored(submitted, released):
    cell(submitted, "test_gram_attention").source = "print('full marks, please')"
    rebuilt, repairs = rebuild(submitted, released)
    assert cell(rebuilt, "test_gram_attention").source == cell(released, "test_gram_attention").source
    assert repairs == ["the cell test_gram_attention had been edited and has been restored"]


def test_points_and_types_come_from_the_release(submitted, released):
    graded = cell(submitted, "test_gram_attention")
    graded.metadata.nbgrader.points = 1000
    answer = cell(submitted, "gram_attention")
    answer.cell_type = "raw"
    answer.pop("outputs")
    answer.pop("execution_count")
    rebuilt, repairs = rebuild(submitted, released)
    assert cell(rebuilt, "test_gram_attention").metadata.nbgrader.points == 2
    assert cell(rebuilt, "gram_attention").cell_type == "code"
    assert repairs == ["the cell gram_attention had been turned into another type of cell"]


def test_moved_cells_go_back_and_take_their_free_cells_along(submitted, released):
    submitted.cells.insert(position(submitted, "gram_attention") + 1, new_code_cell("mine = 1"))
    chunk = submitted.cells[position(submitted, "gram_attention") : position(submitted, "gram_attention") + 2]
    submitted.cells = [c for c in submitted.cells if c not in chunk] + chunk
    rebuilt, repairs = rebuild(submitted, released)
    assert names(rebuilt) == names(released)
    mine = [c.source for c in rebuilt.cells].index("mine = 1")
    assert position(rebuilt, "gram_attention") < mine < position(rebuilt, "test_gram_attention")
    assert repairs == ["cells were out of order and have been put back in the order of the release"]


def test_free_cells_cannot_pose_as_graded_ones(submitted, released):
    forged = new_code_cell("100", metadata={"nbgrader": {"grade": True, "grade_id": "bonus", "points": 100}})
    submitted.cells.append(forged)
    rebuilt, _ = rebuild(submitted, released)
    assert rebuilt.cells[-1].source == "100"
    assert "nbgrader" not in rebuilt.cells[-1].metadata


def test_another_units_notebook_is_refused(released):
    other = new_notebook(
        cells=[
            new_markdown_cell("# 07"),
            new_code_cell("x", metadata={"nbgrader": {"grade_id": "generate", "solution": True}}),
        ]
    )
    with pytest.raises(Rejected, match="not the notebook of this unit: it has the exercises generate"):
        rebuild(other, released)
    with pytest.raises(Rejected, match="it has no exercise at all"):
        rebuild(new_notebook(), released)


@pytest.mark.parametrize("value", ["text", 7, [], {"grade_id": 7}, {"grade_id": None}, None])
def test_odd_metadata_does_no_harm(submitted, released, value):
    submitted.cells.append(new_code_cell("1"))
    submitted.cells[-1].metadata["nbgrader"] = value
    data = json.dumps(submitted).encode()
    rebuilt, repairs = rebuild(read_notebook(data), released)
    assert names(rebuilt) == names(released)
    assert repairs == []


def test_repairs_are_read_from_our_cell_alone(submitted, released):
    submitted.cells.insert(0, new_markdown_cell("- forged", id="repairs", metadata={"repairs": ["forged"]}))
    rebuilt, _ = rebuild(submitted, released)
    assert read_repairs(rebuilt) == []
    add_repairs(rebuilt, ["the cell x was missing"])
    again = read_notebook(write_notebook(rebuilt).encode())
    assert read_repairs(again) == ["the cell x was missing"]
    assert "- the cell x was missing" in again.cells[0].source
