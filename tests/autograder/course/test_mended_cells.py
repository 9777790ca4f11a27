"""A notebook is graded if its answers can be read, whatever else of the file is missing, damaged or huge."""

import json

import pytest

from autograder.course.mended_cells import CELLS, DAMAGED, IDS, OUTPUTS
from autograder.course.notebooks import student_notebook, write_notebook
from autograder.course.submitted_notebook import LARGEST, Rejected, read_notebook, rebuild, without_huge_outputs
from autograder.course.units import find_unit

UNIT = find_unit("01")
ANSWER = 'gram_attention = "mine"'


@pytest.fixture
def content():
    whole = json.loads(write_notebook(student_notebook(UNIT)))
    answer(whole)["source"] = ANSWER
    return whole


def answer(content):
    return next(cell for cell in content["cells"] if cell.get("id") == "gram_attention")


def read(content):
    notebook, repairs = rebuild(read_notebook(json.dumps(content).encode()), student_notebook(UNIT))
    assert next(cell for cell in notebook.cells if cell.get("id") == "gram_attention").source == ANSWER
    return repairs


@pytest.mark.parametrize("value", [None, [], "x", {"language_info": None}, {"kernelspec": {"name": None}}])
def test_metadata_of_the_notebook_may_be_anything(content, value):
    assert read(content | {"metadata": value}) == [DAMAGED]


@pytest.mark.parametrize("key", ["metadata", "nbformat_minor", "nbformat"])
def test_metadata_of_the_notebook_may_be_missing_or_null(content, key):
    assert read(content | {key: None}) == [DAMAGED]
    del content[key]
    assert read(content) == [DAMAGED]


def test_a_null_version_of_the_language_is_no_damage(content):
    content["metadata"]["language_info"] = {"name": "python", "version": None}
    assert read(content) == []


@pytest.mark.parametrize(
    "damage",
    [{"metadata": None}, {"attachments": 7}, {"extra": 1}, {"metadata": {"tags": "x", "collapsed": 7, "name": ""}}],
)
def test_what_grading_does_not_need_of_a_cell_may_be_damaged(content, damage):
    content["cells"][0] |= damage
    assert read(content) == [DAMAGED]


@pytest.mark.parametrize("name", ["one", "long" * 100, "", None, 7])
def test_ids_may_be_repeated_overlong_or_none(content, name):
    for cell in content["cells"]:
        if cell is not answer(content):
            cell["id"] = name
    assert read(content) == [IDS]


@pytest.mark.parametrize(
    "damage", [{"source": None}, {"source": ["a", 7]}, {"cell_type": "heading"}, {"cell_type": []}]
)
def test_a_damaged_cell_costs_no_other(content, damage):
    content["cells"][0] |= damage
    content["cells"].insert(3, 7)
    assert CELLS in read(content)


def test_huge_outputs_are_left_out_and_told(content):
    text = [']}\\"' * 10 + "\n"] * (LARGEST // 40)
    answer(content)["outputs"] = [{"output_type": "stream", "name": "stdout", "text": text}]
    data = json.dumps(content).encode()
    lean = without_huge_outputs(data)
    assert len(data) > LARGEST > 100 * len(lean)
    assert without_huge_outputs(lean) == lean
    assert rebuild(read_notebook(data), student_notebook(UNIT))[1] == [OUTPUTS]
    assert rebuild(read_notebook(lean), student_notebook(UNIT))[1] == [OUTPUTS]


def test_many_small_outputs_are_left_out_too(content):
    answer(content)["outputs"] = [[]] * 600_000
    assert read(content) == [OUTPUTS]


def test_what_is_huge_without_its_outputs_is_refused(content):
    content["cells"].append({"cell_type": "raw", "metadata": {}, "source": "x" * (LARGEST + 1)})
    with pytest.raises(Rejected, match="the file has 20 MB; without its outputs, the most that is read is 20 MB"):
        read(content)
    content["cells"][-1]["source"] = "[" * 600_000
    with pytest.raises(Rejected, match="brackets outside of its outputs"):
        read(content)


def test_a_students_own_list_of_repairs_is_not_believed(content):
    content["metadata"]["repairs"] = ["forged"]
    assert read(content) == []


def test_a_mark_of_utf_8_is_no_damage(content):
    assert read_notebook(b"\xef\xbb\xbf" + json.dumps(content).encode()).cells
