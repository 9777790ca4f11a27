"""Which earlier answers an exercise uses: by global names, through functions and cells of its own."""

import pytest
from nbformat.v4 import new_code_cell, new_notebook

from autograder.course.dependencies import cells_needed, earlier_answers_used, global_names_read
from autograder.course.notebooks import solution_notebook
from autograder.course.units import find_unit


def answer(name, source):
    return new_code_cell(source, metadata={"nbgrader": {"grade_id": name, "solution": True}})


def graded(name):
    return new_code_cell(f"check({name!r})", metadata={"nbgrader": {"grade_id": f"test_{name}", "grade": True}})


def notebook(*cells):
    return new_notebook(cells=[*cells])


FIRST = [answer("first", "def first(x): return x"), graded("first")]


@pytest.mark.parametrize(
    ("source", "used"),
    [
        ("def second(x): return first(x)", ["first"]),
        ("def second(first): return first + 1", []),
        ("def second(x):\n    first = x\n    return first", []),
        ("def second(x): return helper(x)", ["first"]),
        ("class second(Base):\n    def run(self): return [first(x) for x in self]", ["first"]),
        ("second = {'a': first(1)}", ["first"]),
        ("second = lambda x: later(x)", []),
        ("%time\ndef second(x): return first(x)", ["first"]),
        ("def second(x) return first(x)", []),
    ],
)
def test_uses(source, used):
    helper = new_code_cell("def helper(x): return first(x)")
    later = new_code_cell("def later(x): return first(x)")
    assert (
        earlier_answers_used(notebook(*FIRST, helper, answer("second", source), graded("second"), later), "second")
        == used
    )


def test_an_answer_that_cannot_be_parsed_is_used_all_the_same():
    broken = [answer("first", "def first(x) return x"), graded("first")]
    cells = [*broken, answer("second", "def second(x): return first(x)"), graded("second")]
    assert earlier_answers_used(notebook(*cells), "second") == ["first"]


def test_what_is_needed_are_imports_and_whatever_is_read():
    needed = [new_code_cell("import math as m"), new_code_cell("size = m.pi"), answer("first", "first = size")]
    cells = [*needed, new_code_cell("import os"), new_code_cell("other = first"), graded("first")]
    assert cells_needed(notebook(*cells), "first") == needed


@pytest.mark.parametrize("source", ["(" * 100_000, "\0", "x" * 1_000_000, "def f(:"])
def test_hostile_code_reads_nothing(source):
    assert global_names_read(source) == set()


CHAINS = [("01", "cross_attention"), ("08", "VisionTransformer")]


def test_the_course_uses_what_its_notebooks_say():
    used = {unit: earlier_answers_used(solution_notebook(find_unit(unit)), name) for unit, name in CHAINS}
    assert used == {"01": ["scaled_dot_product_attention"], "08": ["patchify", "PatchEmbedding"]}
