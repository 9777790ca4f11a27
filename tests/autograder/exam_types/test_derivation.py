"""Ladder exams: a rung is right in the form in which it is asked, at every point, and its slips are named."""

import json

import numpy as np
import pytest
import torch

from autograder.authoring.audit.audit import audit_exam
from autograder.exam_types import LadderExam, Rung, RungCriterion, Slip


def draw_points(draw):
    """a, s: s is a number of its own, though in truth it is the sum of a."""
    return [[draw.normal(3, dtype=torch.float64).exp(), draw.uniform(8, 9)] for _ in range(3)]


def draw_numbers(draw):
    return [[size] for size in draw.sizes(4)]


def first_over_sum(a, s):
    return a[0] / s


def half(n):
    return n / 2


NAMES = ("first", "half")

ladder = LadderExam(
    exercise="softmax_derivative",
    rungs=(Rung(NAMES[0], first_over_sum, draw_points), Rung(NAMES[1], half, draw_numbers)),
    criteria=(RungCriterion("the first", 1, NAMES[0]), RungCriterion("the half", 2, NAMES[1])),
    slips=(
        Slip(NAMES[0], "last", "You take the last one.", lambda a, s: a[-1] / s, "where to begin"),
        Slip(NAMES[0], "own-sum", "You compute the sum yourself.", lambda a, s: a[0] / a.sum()),
        Slip(NAMES[1], "twice", "You double it.", lambda n: 2 * n),
        Slip(NAMES[1], "crashes", "You divide by zero.", lambda n: 1 / 0),
    ),
    accepted=(
        {"half": half, "first": first_over_sum},
        (lambda x, y: float(x[0]) / y, lambda n: np.float64(n) / 2),
        (lambda x, y: x[:1] / y, lambda n: [n / 2]),
        [lambda x, y: (x / y)[0].float(), lambda n: torch.tensor(n / 2)],
    ),
)


def test_the_answers_that_it_knows_are_graded_rightly_with_every_seed():
    audit = audit_exam(ladder, seeds=20)
    assert audit.caught.full
    assert audit.accepted.full
    assert audit.seeds.full
    assert audit.blank.full


@pytest.mark.parametrize("slip", ladder.slips[:3], ids=lambda slip: slip.slug)
def test_slips_lose_the_points_of_their_rung_and_are_named(slip, visible):
    answer = ladder.misconceptions[ladder.slips.index(slip)].answer
    verdict = ladder.grade(answer)
    assert [c.passed for c in verdict.criteria] == [slip.rung != name for name in NAMES]
    assert verdict.diagnosis.startswith(slip.says)
    assert slip.says in visible(ladder, answer)


def test_a_slip_that_raises_hides_no_other():
    assert ladder.grade([first_over_sum, lambda n: n + 1]).criteria[1].mistakes == ()


def test_symbols_are_independent_so_a_line_is_right_in_its_own_form_only():
    assert ladder.grade([lambda a, s: (a / a.sum())[0], half]).score == 2


def test_one_wrong_point_is_enough():
    assert ladder.grade([first_over_sum, lambda n: n / 2 if n > 4 else 7.0]).score == 1


def stub(*arguments):
    raise NotImplementedError


@pytest.mark.parametrize("blank", [..., None, [..., ...], (None, None), [stub] * 2, dict.fromkeys(NAMES, ...)])
def test_blank_ladders_get_nothing(blank, visible):
    verdict = ladder.grade(blank)
    assert verdict.score == 0
    assert not verdict.tried
    with pytest.raises(NotImplementedError, match="not written yet"):
        visible(ladder, blank)


def test_partly_written_ladder_gets_its_part():
    verdict = ladder.grade([first_over_sum, ...])
    assert verdict.score == 1
    assert verdict.tried
    assert "rung 2, ‘half’, is not written yet" in verdict.diagnosis


def test_a_wrong_value_is_shown_with_its_point():
    message = ladder.grade([lambda a, s: 0.0, half]).criteria[0].message
    assert message.startswith("rung 1, ‘first’, gives 0 at a = [")
    assert ", s = 8." in message
    assert ", expected 0." in message


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ("ladder", "should be a list of 2 functions, one for each of: first, half"),
        (half, "but it is of type function"),
        ([half], "has 1 rungs, expected 2 functions"),
        ({"first": half}, "has no rung called 'half'"),
        ([7, half], "should be a function, but it is of type int"),
        ([lambda a, s: 1 / 0, half], "raised ZeroDivisionError"),
        ([lambda a: a, half], "raised TypeError"),
        ([lambda a, s: None, half], "returned nothing"),
        ([lambda a, s: "0.3", half], "gives a str, expected a number"),
        ([lambda a, s: a, half], "gives a tensor of shape (3,), expected one number"),
        ([lambda a, s: float("nan"), half], "not finite"),
        ([lambda a, s: 1j, half], "not real"),
    ],
)
def test_odd_answers_end_in_a_sentence(answer, sentence, visible):
    assert sentence in ladder.grade(answer).criteria[0].message
    assert sentence in visible(ladder, answer)


def test_the_visible_check_judges_each_rung(visible):
    for answer in (ladder.reference, *ladder.accepted):
        assert visible(ladder, answer).startswith("✓ softmax_derivative")
    text = visible(ladder, [first_over_sum, lambda n: n])
    assert "✓ rung 1: first" in text
    assert "✗ rung 2: half" in text


def test_the_card_holds_numbers_and_no_line():
    card = ladder.card()
    assert set(card) == {"kind", "rungs"}
    assert [rung["name"] for rung in card["rungs"]] == list(NAMES)
    assert list(card["rungs"][0]["points"][0]) == ["a", "s"]
    json.dumps(card)
