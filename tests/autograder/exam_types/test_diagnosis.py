"""Two slips at once are recognised, singles come before pairs, and what matches nothing is described."""

import functools
import itertools
import math

import pytest

from autograder.exam_types import CodeExam
from autograder.exams import EXAMS
from course_lib.checks import CheckFailed, check

CODE = [exam for exam in EXAMS.values() if isinstance(exam, CodeExam)]


def without_scale_and_over_queries(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1)
    if mask is not None:
        scores = scores.masked_fill(mask, float("-inf"))
    weights = scores.softmax(-2).nan_to_num()
    return weights @ v, weights


def test_two_slips_at_once_are_both_named():
    verdict = EXAMS["scaled_dot_product_attention"].grade(without_scale_and_over_queries)
    assert verdict.diagnosis.startswith("Two slips at once: ")
    assert "without the 1/√d_k scale" in verdict.diagnosis
    assert "softmax runs over the queries" in verdict.diagnosis
    with pytest.raises(CheckFailed, match="Two slips at once: Your weights equal attention without"):
        check("scaled_dot_product_attention", without_scale_and_over_queries)


@pytest.mark.parametrize("exam", CODE, ids=lambda exam: exam.exercise)
def test_every_pair_of_slips_loses_points_and_is_named(exam):
    slips = [known for known in exam.misconceptions if isinstance(known.answer, functools.partial)]
    for one, two in itertools.combinations(slips, 2):
        if one.answer.keywords.keys() & two.answer.keywords.keys():
            continue
        both = functools.partial(one.answer.func, **one.answer.keywords, **two.answer.keywords)
        verdict = exam.grade(both, 1)
        assert verdict.score < exam.points
        assert verdict.diagnosis, f"{one.says} and {two.says}"


def test_a_mistake_nobody_has_seen_is_described_by_what_fails():
    def thirds(q, k, v, mask=None):
        weights = (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) / 3
        return weights @ v, weights

    verdict = EXAMS["scaled_dot_product_attention"].grade(thirds)
    assert verdict.diagnosis == "Your weights sum to 0.3333 along dim=-1, expected 1."


def test_diagnosis_points_at_a_hint():
    verdict = EXAMS["scaled_dot_product_attention"].grade(
        EXAMS["scaled_dot_product_attention"].misconceptions[0].answer
    )
    assert verdict.diagnosis.endswith("See hint 3.")
