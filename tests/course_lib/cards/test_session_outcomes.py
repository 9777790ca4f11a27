"""What a session remembers of checks."""

import pytest

from course_lib.cards import session_outcomes
from course_lib.cards.session_outcomes import Outcome, failed_tries


@pytest.fixture(autouse=True)
def _new_session():
    session_outcomes.forget()
    yield
    session_outcomes.forget()


def test_the_same_answer_again_is_no_new_try():
    assert [failed_tries("sheet", "K", answer) for answer in ("a", "a", "b", "a", "c")] == [1, 1, 2, 2, 3]


def test_tries_are_counted_for_each_part():
    assert failed_tries("sheet", "K", "a") == failed_tries("sheet", "V", "b") == failed_tries("other", "K", "c") == 1


def test_tries_are_forgotten_with_the_session():
    failed_tries("sheet", "K", "a")
    session_outcomes.forget()
    assert failed_tries("sheet", "K", "b") == 1


def test_each_outcome_has_its_own_sign():
    assert [outcome.sign for outcome in Outcome] == ["✓", "○", "✗", ""]
