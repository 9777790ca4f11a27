"""Answers whose cells lost their metadata, id, type or place are found, and nothing else is taken for one."""

import copy

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from autograder.course.cells import answer_cells, grade_id, is_graded_code
from autograder.course.notebooks import student_notebook, write_notebook
from autograder.course.submitted_notebook import Rejected, read_notebook, rebuild
from autograder.course.units import find_unit
from autograder.demo.stories import fill_in, right_answers

UNIT = find_unit("01")
GRAM = "def gram_attention(X):\n    return X @ X.T @ X"


@pytest.fixture(scope="module")
def released():
    return student_notebook(UNIT)


@pytest.fixture
def submitted(released):
    return fill_in(released, {"gram_attention": GRAM})


def cell(notebook, name):
    return next(c for c in notebook.cells if grade_id(c) == name)


def place(notebook, name):
    return notebook.cells.index(cell(notebook, name))


def source(notebook, name):
    return cell(notebook, name).source


def forget(marked):
    marked.metadata.pop("nbgrader")
    marked.id = "another"


def code_before(notebook, name):
    return "\n".join(c.source for c in notebook.cells[: place(notebook, name)] if c.cell_type == "code")


def test_a_retyped_answer_is_found_by_its_name(submitted, released):
    forget(cell(submitted, "gram_attention"))
    rebuilt, repairs = rebuild(submitted, released)
    assert source(rebuilt, "gram_attention") == GRAM
    assert repairs == ["the answer to `gram_attention` had lost its nbgrader metadata and was found by its name"]


def test_an_answer_without_metadata_is_found_by_its_cell_id(submitted, released):
    cell(submitted, "gram_attention").metadata.pop("nbgrader")
    cell(submitted, "test_gram_attention").metadata.pop("nbgrader")
    rebuilt, repairs = rebuild(submitted, released)
    assert source(rebuilt, "gram_attention") == GRAM
    assert repairs == [
        "the answer to `gram_attention` had lost its nbgrader metadata and was found by its cell id",
        "a cell that you do not fill in had lost its nbgrader metadata and was restored",
    ]


@pytest.mark.parametrize("below", [0, 1, 30])
def test_no_stub_is_put_behind_a_definition_of_the_students(submitted, released, below):
    stub = source(released, "gram_attention")
    cell(submitted, "gram_attention").source = stub
    submitted.cells.insert(place(submitted, "gram_attention") + below, new_code_cell(GRAM))
    rebuilt, repairs = rebuild(submitted, released)
    assert source(rebuilt, "gram_attention") == GRAM
    assert stub not in [c.source for c in rebuilt.cells]
    assert "the answer to `gram_attention` was outside of its cell and was found by its name" in repairs


def test_what_a_student_tries_out_behind_the_check_is_no_answer(submitted, released):
    forget(cell(submitted, "gram_attention"))
    tried = "def gram_attention(X):\n    return 0"
    submitted.cells.insert(place(submitted, "test_gram_attention") + 1, new_code_cell(tried))
    rebuilt, _ = rebuild(submitted, released)
    assert source(rebuilt, "gram_attention") == GRAM


def test_a_syntax_error_does_not_hide_an_answer(submitted, released):
    cell(submitted, "gram_attention").source = "def gram_attention(X)\n    return X"
    forget(cell(submitted, "gram_attention"))
    rebuilt, _ = rebuild(submitted, released)
    assert source(rebuilt, "gram_attention") == "def gram_attention(X)\n    return X"


def test_a_helper_that_was_split_off_stays_in_front(submitted, released):
    answer = cell(submitted, "gram_attention")
    helper = copy.deepcopy(answer)
    helper.source = "def product(X):\n    return X @ X.T"
    submitted.cells.insert(place(submitted, "gram_attention"), helper)
    rebuilt, repairs = rebuild(submitted, released)
    assert source(rebuilt, "gram_attention") == GRAM
    assert helper.source in code_before(rebuilt, "gram_attention")
    assert repairs == ["the cell gram_attention appeared 2 times; the last one that was filled in counts"]


def test_of_two_copies_the_one_that_defines_the_name_counts(submitted, released):
    below = copy.deepcopy(cell(submitted, "gram_attention"))
    below.source = "def product(X):\n    return X @ X.T"
    submitted.cells.insert(place(submitted, "gram_attention") + 1, below)
    rebuilt, repairs = rebuild(submitted, released)
    assert source(rebuilt, "gram_attention") == GRAM
    assert below.source in code_before(rebuilt, "test_gram_attention")
    assert repairs == ["the cell gram_attention appeared 2 times; the last one that defines `gram_attention` counts"]


def test_two_answers_in_one_cell_are_cut_apart(submitted, released):
    both = f"{GRAM}\n\n\nhalf = 0.5\n\n\ndef attention_matrix(X, w_q, w_k):\n    return half\n"
    cell(submitted, "gram_attention").source = both
    submitted.cells.remove(cell(submitted, "attention_matrix"))
    rebuilt, repairs = rebuild(submitted, released)
    assert source(rebuilt, "gram_attention") == GRAM
    assert source(rebuilt, "attention_matrix").startswith("half = 0.5")
    assert "the answer to `attention_matrix` was found by its name, in the cell of `gram_attention`" in repairs


def test_two_answers_in_one_cell_with_a_syntax_error_are_both_found(submitted, released):
    both = f"{GRAM}\n\ndef attention_matrix(X, w_q, w_k)\n    return 1\n"
    cell(submitted, "gram_attention").source = both
    submitted.cells.remove(cell(submitted, "attention_matrix"))
    rebuilt, _ = rebuild(submitted, released)
    assert source(rebuilt, "gram_attention") == source(rebuilt, "attention_matrix") == both


def test_an_answer_in_a_check_that_it_was_merged_into_is_found(submitted, released):
    cell(submitted, "test_gram_attention").source = f"{GRAM}\n\n{source(released, 'test_gram_attention')}"
    submitted.cells.remove(cell(submitted, "gram_attention"))
    rebuilt, repairs = rebuild(submitted, released)
    assert GRAM in source(rebuilt, "gram_attention")
    assert source(rebuilt, "test_gram_attention") == source(released, "test_gram_attention")
    assert "the cell test_gram_attention had been edited and has been restored" in repairs


def test_text_of_ours_that_was_merged_into_an_answer_is_cut_off(submitted, released):
    answer = cell(submitted, "gram_attention")
    hints = submitted.cells.pop(submitted.cells.index(answer) + 1)
    assert hints.cell_type == "markdown"
    answer.source = f"{GRAM}\n\n{hints.source}"
    rebuilt, _ = rebuild(submitted, released)
    assert source(rebuilt, "gram_attention") == GRAM


def test_answers_that_are_data_are_found_too(submitted, released):
    answer = cell(submitted, "cross_attention_shapes")
    answer.source = "cross_attention_shapes = {}\ncross_attention_shapes['Q'] = 'B n d'"
    forget(answer)
    rebuilt, _ = rebuild(submitted, released)
    assert "'B n d'" in source(rebuilt, "cross_attention_shapes")


@pytest.mark.parametrize("keeps_stub", [True, False])
def test_a_written_answer_is_found_below_its_heading(submitted, released, keeps_stub):
    at = place(submitted, "explain_attention_matrix")
    words = [new_markdown_cell("The matrix depends"), new_markdown_cell("on the input.")]
    submitted.cells[at + keeps_stub : at + 1] = words
    rebuilt, repairs = rebuild(submitted, released)
    assert source(rebuilt, "explain_attention_matrix") == "The matrix depends\n\non the input."
    assert repairs == [
        "the answer to `explain_attention_matrix` was found below the heading of the exercise",
    ]


def test_a_blank_notebook_without_metadata_stays_blank(released):
    bare = copy.deepcopy(released)
    for number, each in enumerate(bare.cells):
        each.metadata.pop("nbgrader", None)
        each.id = f"new-{number}"
    rebuilt, _ = rebuild(bare, released)
    blank = {name: c.source for name, c in answer_cells(released).items()}
    assert {name: c.source for name, c in answer_cells(rebuilt).items()} == blank


def test_another_units_notebook_is_refused_without_metadata_too(released):
    for unit in ("00", "02"):
        other = student_notebook(find_unit(unit))
        for each in other.cells:
            each.metadata.pop("nbgrader", None)
        with pytest.raises(Rejected):
            rebuild(other, released)
    with pytest.raises(Rejected):
        rebuild(new_notebook(cells=[new_code_cell(GRAM)]), released)


def test_graded_cells_come_from_the_release_whatever_has_their_id(submitted, released):
    forged = new_code_cell("grade = print", id="test_gram_attention")
    submitted.cells.remove(cell(submitted, "test_gram_attention"))
    submitted.cells.append(forged)
    rebuilt, _ = rebuild(submitted, released)
    assert source(rebuilt, "test_gram_attention") == source(released, "test_gram_attention")
    assert len([c for c in rebuilt.cells if is_graded_code(c)]) == len([c for c in released.cells if is_graded_code(c)])
    assert "grade = print" not in [c.source for c in rebuilt.cells]


def test_a_notebook_of_format_4_4_with_ids_is_read(released):
    solved = fill_in(released, right_answers(UNIT))
    solved.nbformat_minor = 4
    solved.cells[0].id = "an id that nbformat refuses"
    read = read_notebook(write_notebook(solved).encode())
    assert rebuild(read, released)[1] == []
