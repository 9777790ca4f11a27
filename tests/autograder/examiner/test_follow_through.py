"""One slip is paid for once: a later exercise is examined with our answer for an earlier one that lost points."""

import json

import pytest

from autograder.authoring.audit.editors import solved_notebook
from autograder.authoring.audit.follow_through import wrong
from autograder.course.cells import answer_cells
from autograder.course.notebooks import student_notebook, write_notebook
from autograder.course.units import find_unit
from autograder.exam_types.verdict import Verdict
from autograder.examiner.grade_submission import assignment_of, grade_submission

UNIT = find_unit("01")
EARLIER, LATER = "scaled_dot_product_attention", "cross_attention"

pytestmark = pytest.mark.xdist_group("class")


@pytest.fixture(scope="module")
def assignment(needs_sandbox):
    return assignment_of(UNIT)


@pytest.fixture
def grade(assignment):
    def graded(**changes):
        released = student_notebook(UNIT)
        notebook = solved_notebook(UNIT, released)
        for name, change in changes.items():
            cell = answer_cells(notebook)[name]
            cell.source = change(cell.source)
        return grade_submission(write_notebook(notebook).encode(), assignment, "seed")

    return graded


def spoil(source):
    return wrong(EARLIER, source, "")


def stub(source):
    return answer_cells(student_notebook(UNIT))[EARLIER].source


def test_nothing_is_examined_twice_without_need(grade):
    verdicts = grade().by_exercise.values()
    assert {verdict.stand_ins for verdict in verdicts} == {()}
    assert all(verdict.score == verdict.points for verdict in verdicts)


@pytest.mark.parametrize("change", [spoil, stub, lambda source: f"{source}\n)"], ids=["wrong", "blank", "unparsable"])
def test_a_right_answer_keeps_its_points(grade, change):
    graded = grade(**{EARLIER: change})
    earlier, later = graded.by_exercise[EARLIER], graded.by_exercise[LATER]
    assert earlier.score < earlier.points
    assert not earlier.stand_ins
    assert later.score == later.points
    assert later.followed == "Graded with our `scaled_dot_product_attention`, because yours lost points."
    assert later.followed in graded.notebook
    assert not graded.problems


def test_a_wrong_answer_stays_wrong_and_is_told_its_own_mistake(grade):
    graded = grade(**{EARLIER: spoil, LATER: lambda source: source.replace("x_src @ w_v", "x_tgt @ w_v")})
    later = graded.by_exercise[LATER]
    assert later.score < later.points


def test_calling_our_answer_earns_no_points_for_it(grade):
    """By a name, by itself, or by the later exercise."""
    alias = f"mine = globals().get({EARLIER!r})\ndef {EARLIER}(*given): return mine(*given)"
    later = f"def {LATER}(x_tgt, x_src, w_q, w_k, w_v): return {EARLIER}(x_tgt, x_src, x_src)"
    graded = grade(**{EARLIER: lambda _: alias, LATER: lambda _: later})
    assert graded.by_exercise[EARLIER].score == 0
    verdict = graded.by_exercise[LATER]
    assert verdict.score < verdict.points / 2


def test_a_choice_is_not_made_twice(grade):
    guess = f"import random\n{EARLIER}\nquery_key_value_roles = random.choice('ABCDEF')"
    graded = grade(**{EARLIER: spoil, "query_key_value_roles": lambda _: guess})
    assert graded.by_exercise["query_key_value_roles"].stand_ins == ()


def test_a_later_answer_that_never_ends_costs_itself(grade):
    loop = f"def {LATER}(*given):\n    {EARLIER}\n    while True: pass"
    graded = grade(**{EARLIER: stub, LATER: lambda _: loop})
    assert graded.by_exercise[LATER].score == 0
    assert graded.by_exercise["gram_attention"].score == graded.by_exercise["gram_attention"].points


def test_verdicts_keep_it_and_older_ones_are_read():
    verdict = Verdict("e", 2, (), ("a", "b", "c"))
    kept = json.loads(json.dumps(verdict.to_json()))
    assert Verdict.from_json(kept) == verdict
    assert verdict.followed == "Graded with our `a`, `b` and `c`, because yours lost points."
    older = {name: value for name, value in kept.items() if name != "stand_ins"}
    assert Verdict.from_json(older).followed == ""
