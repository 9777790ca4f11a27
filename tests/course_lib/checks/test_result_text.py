"""Rows and their signs: a circle is no tick."""

from course_lib.cards.observed import Observed
from course_lib.cards.session_outcomes import Outcome
from course_lib.checks.result_text import Row, outcome_of, report_text

RIGHT, WRONG, OPEN = Row("right"), Row("wrong", Observed("it is 2", "3")), Row("open", judged=False)


def test_a_wrong_row_decides_and_then_one_that_is_not_judged():
    assert outcome_of([RIGHT, RIGHT]) is Outcome.PASSES
    assert outcome_of([RIGHT, OPEN]) is Outcome.ANSWERED
    assert outcome_of([OPEN, WRONG, RIGHT]) is Outcome.FAILS


def test_every_row_has_the_sign_of_its_outcome():
    assert report_text("sheet", [RIGHT, OPEN, WRONG]).splitlines() == [
        "✗ sheet",
        "  ✓ right",
        "  ○ open",
        "  ✗ wrong",
        "      it is 2, expected 3",
    ]
    assert report_text("choice", [OPEN]).startswith("○ choice")
