"""Practice quizzes: one right choice, a reason for each, and nothing readable before a choice is made."""

import pytest

from course_lib.widgets import quiz
from course_lib.widgets.quiz_bank import read_questions, seal, unseal

QUIZ = pytest.mark.parametrize("name", list(read_questions()))


@QUIZ
def test_one_choice_is_right_and_all_have_reasons(name):
    question = read_questions()[name]
    answers = [question.answer(place) for place in range(len(question.choices))]
    assert 2 <= len(answers) <= 4
    assert sum(right for right, _ in answers) == 1
    assert len({reason for _, reason in answers}) == len(answers)
    assert all(reason.endswith((".", "½.", ")")) and len(reason) > 20 for _, reason in answers)


@QUIZ
def test_nothing_is_said_before_a_choice(name):
    shown = quiz(name)
    box = shown.box()
    reasons = [reason for _, reason in map(shown.question.answer, range(len(shown.choices)))]
    told = " ".join([shown.text(), shown.page(), *(child.value or "" for child in box.children)])
    assert all(reason not in told for reason in reasons)
    assert shown.buttons.value is None


def test_the_right_choice_stands_in_every_place():
    places = [
        next(place for place in range(len(question.choices)) if question.answer(place)[0])
        for question in read_questions().values()
    ]
    assert min(places.count(place) for place in range(3)) > len(places) / 6


def test_choosing_shows_the_verdict_in_words():
    shown = quiz("doubled_input")
    shown.box()
    shown.buttons.value = shown.choices.index("8 f(X)")
    assert "✓ Right." in shown.reason.value
    shown.buttons.value = shown.choices.index("2 f(X)")
    assert "✗ Not quite." in shown.reason.value
    assert "Count how often X appears" in shown.reason.value
    shown.buttons.value = None
    assert "✗" not in shown.reason.value


def test_seals_open_for_their_own_choice_alone():
    sealed = seal("name", "text", True, "because")
    assert unseal("name", "text", sealed) == (True, "because")
    assert "because" not in sealed
    assert seal("name", "other", True, "because") != sealed
    assert seal("other", "text", True, "because") != sealed


def test_buttons_are_ordinary_ones_for_a_person(screen):
    quiz("doubled_input")._ipython_display_()
    living, stand_in = screen.shown
    assert "application/vnd.jupyter.widget-view+json" in living
    assert stand_in["text/plain"].startswith("Practice: f(X)")
    assert "<ol" in stand_in["text/html"]


def test_a_reader_gets_text_and_a_grader_nothing(reader, monkeypatch):
    quiz("doubled_input")._ipython_display_()
    assert set(reader.shown[0]) == {"text/plain", "text/html"}
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    quiz("doubled_input")._ipython_display_()
    assert len(reader.shown) == 1


def test_an_unknown_name_is_answered_with_the_known_ones():
    with pytest.raises(ValueError, match="there is no quiz called 'nothing'; the quizzes are run_or_saved, "):
        quiz("nothing")
