"""A trained function is judged by the share it gets right, with a threshold that has room."""

import pytest
import torch

from autograder.exam_types import ShareCriterion, TrainedExam
from autograder.exam_types.exam import Misconception
from course_lib.checks import Finding


def draw_numbers(draw, count):
    numbers = draw.normal(count)
    return [f"{x:.2f}" for x in numbers.tolist()], [numbers], ["+" if x > 0 else "-" for x in numbers.tolist()]


def read_signs(returned, count):
    if not isinstance(returned, list):
        raise Finding(f"a list was expected, not a {type(returned).__name__}")
    return returned


def signs(x):
    return ["+" if value > 0 else "-" for value in x.tolist()]


def opposite(x):
    return signs(-x)


def wrong_for(share):
    return lambda x: ["?" if i < share * len(x) else sign for i, sign in enumerate(signs(x))]


EXAM = TrainedExam(
    exercise="signs",
    function=signs,
    draw=draw_numbers,
    read=read_signs,
    criteria=(ShareCriterion("half", 1, enough=0.5), ShareCriterion("nearly all", 2, enough=0.9)),
    misconceptions=(
        Misconception("opposite", "The other way round.", opposite),
        Misconception("tensor", "A tensor is not a list.", lambda x: x > 0),
    ),
)


@pytest.mark.parametrize(("share", "score"), [(0.0, 3), (0.09, 3), (0.2, 1), (0.7, 0)])
def test_points_come_in_steps(share, score):
    assert EXAM.grade(wrong_for(share), 3).score == score


def test_the_message_counts_and_gives_an_example():
    verdict = EXAM.grade(wrong_for(0.2))
    assert verdict.criteria[1].message.startswith("160 of 200 are right, expected at least 90%; for example, ")
    assert "becomes '?', expected '" in verdict.diagnosis


def test_known_mistakes_are_named():
    assert EXAM.grade(opposite).diagnosis == "The other way round."
    assert EXAM.grade(lambda x: torch.ones(2)).diagnosis == "A tensor is not a list."


def test_other_inputs_for_another_seed():
    seen = []
    for seed in (1, 1, 2):
        EXAM.grade(lambda x: seen.append(x) or signs(x), seed)
    assert torch.equal(seen[0], seen[2])
    assert not torch.equal(seen[0], seen[4])


def test_a_stub_was_not_tried():
    def stub(x):
        raise NotImplementedError

    assert not EXAM.grade(stub).tried


def test_the_card_has_shares_and_no_results():
    assert EXAM.card() == {"kind": "trained", "shares": {"half": 0.5, "nearly all": 0.9}}
