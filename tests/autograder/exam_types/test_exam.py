"""What an exam makes of an answer: points by criterion, a diagnosis, and inputs of one's own. See test_audit too."""

import dataclasses

import pytest
import torch

from autograder.course.units import find_unit, written_units
from autograder.exam_types.verdict import CriterionResult, Verdict
from autograder.exams import EXAMS, UNITS, exercise_seed, grade
from course_lib.cards.observed import Mistake, Observed
from course_lib.nn import attention

BY_NAME = pytest.mark.parametrize("exam", EXAMS.values(), ids=lambda exam: exam.exercise)


MOST_BY_CHANCE = 1  # point


@BY_NAME
def test_a_mistake_costs_about_the_same_whatever_the_seed(exam):
    """A small criterion beside the one that the mistake is about may be met by chance, such as a dead ReLU."""
    for misconception in exam.misconceptions:
        scores = {exam.grade(misconception.answer, seed).score for seed in range(3)}
        assert max(scores) - min(scores) <= MOST_BY_CHANCE, f"{misconception.says} {scores}"


def test_one_mistake_costs_what_it_is_worth():
    def changes_its_argument(q, k, v, mask=None):
        result = attention.scaled_dot_product_attention(q, k, v, mask)
        q += 1
        return result

    def detached(q, k, v, mask=None):
        output, weights = attention.scaled_dot_product_attention(q, k.detach(), v, mask)
        return output, weights

    def single_precision(q, k, v, mask=None):
        return attention.scaled_dot_product_attention(q.float(), k.float(), v.float(), mask)

    def one_leading_dimension(q, k, v, mask=None):
        assert q.ndim == 3
        return attention.scaled_dot_product_attention(q, k, v, mask)

    exam = EXAMS["scaled_dot_product_attention"]
    for answer, lost in (
        (changes_its_argument, {"the arguments are left unchanged", "gradients reach q, k and v"}),
        (detached, {"gradients reach q, k and v"}),
        (single_precision, {"float64 in, float64 out"}),
        (one_leading_dimension, {"any leading dimensions, with one mask for all"}),
    ):
        verdict = exam.grade(answer, 7)
        assert {c.name for c in verdict.criteria if not c.passed} == lost, str(verdict)


def test_an_entry_that_is_missing_or_unreadable_costs_its_own_criterion():
    exam = EXAMS["matmul_shapes"]
    for entry, words in ((..., "not filled in yet"), ("B dk", "no dimension called dk"), (7, "got 7")):
        verdict = exam.grade(exam.sheet | {"G": entry, "S": "B m n"})
        lost = {c.name[0]: c for c in verdict.criteria if not c.passed}
        assert verdict.score == 1.2
        assert lost.keys() == {"G", "S"}
        assert words in lost["G"].message
        assert "Your S is transposed" in lost["S"].mistakes[0].says


def test_a_sheet_with_other_names_is_an_answer_and_is_told_which_are_missing():
    exam = EXAMS["matmul_shapes"]
    for answer in ({name.lower() * 2: entry for name, entry in exam.sheet.items()}, {}):
        verdict = exam.grade(answer)
        assert verdict.tried
        assert verdict.score == 0
        assert "has no entry for G; its entries are " in " ".join(c.message for c in verdict.criteria)
    assert not exam.grade(dict.fromkeys(exam.sheet, ...)).tried


def test_hidden_inputs_differ_by_seed_and_repeat_for_one():
    exam, seen = EXAMS["gram_attention"], []

    def spy(X):
        seen.append(X.clone())
        return attention.gram_attention(X)

    firsts = []
    for seed in (1, 1, 2):
        seen.clear()
        exam.grade(spy, seed)
        firsts.append(seen[0])
    first, again, other = firsts
    assert torch.equal(first, again)
    assert first.shape != other.shape or not torch.equal(first, other)


def test_diagnosis_that_explains_most_criteria_is_given():
    rare, common = ((Mistake(f"e/{name}", name),) for name in ("rare", "common"))
    results = [CriterionResult("a", 1, 0, Observed("x"), rare), CriterionResult("b", 1, 0, Observed("y"), common)]
    results += [CriterionResult("c", 1, 0, Observed("z"), common), CriterionResult("d", 1, 1)]
    assert Verdict("e", 4, tuple(results)).diagnosis == "common"
    assert Verdict("e", 2, (CriterionResult("a", 1, 0, Observed("x")), results[-1])).diagnosis == "x"
    assert Verdict("e", 1, (results[-1],)).diagnosis is None


def test_finding_shows_no_expected_tensor():
    verdict = EXAMS["gram_attention"].grade(lambda X: X @ X.T @ X + 1, 0)
    assert "1 too high" in verdict.criteria[0].message
    assert "tensor(" not in str(verdict)


def test_grade_shows_the_verdict_and_returns_the_score(capsys):
    assert grade("gram_attention", lambda X: X @ X.T) == 0
    shown = capsys.readouterr().out
    assert "✗ gram_attention: 0 of 2 points" in shown
    assert "→ You return the scores X Xᵀ alone" in shown


def test_seed_changes_with_submission_exercise_and_version():
    one, other = EXAMS["gram_attention"], EXAMS["cross_attention"]
    newer = dataclasses.replace(one, version=2)
    seeds = [exercise_seed(exam, submission) for exam in (one, other, newer) for submission in ("a", "b")]
    assert len(set(seeds)) == len(seeds)
    assert exercise_seed(one, "a") == seeds[0]


def test_every_written_unit_has_exams():
    assert set(UNITS) == {unit.id for unit in written_units()}
    assert find_unit("01").points == sum(exam.points for exam in UNITS["01"]) + 4  # the explanation
