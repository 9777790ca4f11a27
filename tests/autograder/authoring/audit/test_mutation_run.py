"""Exams catch small changes to their references; a weak exam does not, and the run says so."""

import dataclasses
import weakref

import pytest
import torch

from autograder.authoring.audit import mutation_run
from autograder.authoring.audit.equivalent_mutants import EQUIVALENT
from autograder.authoring.audit.mutants import build, mutants, unchanged
from autograder.authoring.audit.mutation_run import run_mutants
from autograder.errors import CourseError
from autograder.exam_types import CodeCriterion, CodeExam
from autograder.exams import EXAMS

CODE_EXAMS = {name: exam for name, exam in EXAMS.items() if isinstance(exam, CodeExam)}
ATTENTION = EXAMS["scaled_dot_product_attention"]
BY_NAME = pytest.mark.parametrize("exercise", CODE_EXAMS)


def example(x, y, n=3):
    """Every sort of change has its place here."""
    total = x + y * 2.5
    if x > y and n:
        total -= max(x, -y)
    values = [total][0], abs(-1)
    return sorted(values, key=lambda value: value.real), x.conjugate()


def small_exam(function, *values):
    criteria = (CodeCriterion("it", 1, lambda draw: [torch.ones(2, 3), *values]),)
    return CodeExam(exercise="small", function=function, outputs=("y",), criteria=criteria)


@BY_NAME
def test_exam_catches_mutants_but_those_declared_equivalent(exercise):
    run = run_mutants(CODE_EXAMS[exercise])
    assert run.total >= 2
    assert run.share >= 0.95, run.survivors
    assert run.stale == ()
    assert set(run.equivalent) == set(EQUIVALENT.get(exercise, {}))


def test_declarations_belong_to_code_exams():
    assert EQUIVALENT.keys() <= CODE_EXAMS.keys()


@BY_NAME
def test_mutants_are_all_different_and_readable(exercise):
    made = mutants(CODE_EXAMS[exercise].reference)
    texts = [mutant.description for mutant in made]
    assert len({*texts}) == len({mutant.source for mutant in made}) == len(made)
    assert not any("\n" in text or "Float" in mutant.source for text, mutant in zip(texts, made, strict=True))


def test_every_sort_of_change_is_made():
    found = {mutant.description for mutant in mutants(example)}
    assert found == {
        "line 1: `x, y, n=3` → `x, y, n=4`",
        "line 3: `total = x + y * 2.5` → `pass`",
        "line 3: `x + y * 2.5` → `x - y * 2.5`",
        "line 3: `y * 2.5` → `y / 2.5`",
        "line 3: `y * 2.5` → `y * 5.0`",
        "line 4: `if x > y and n: …` → `pass`",
        "line 4: `if x > y and n: …` → `if not (x > y and n): …`",
        "line 4: `x > y` → `x <= y`",
        "line 4: `x > y` → `x >= y`",
        "line 5: `total -= max(x, -y)` → `pass`",
        "line 5: `total -= max(x, -y)` → `total += max(x, -y)`",
        "line 5: `max(x, -y)` → `max(-y, x)`",
        "line 5: `max(x, -y)` → `max(x, y)`",
        "line 6: `values = ([total][0], abs(-1))` → `pass`",
        "line 6: `[total][0]` → `[total][1]`",
        "line 6: `abs(-1)` → `abs(1)`",
        "line 6: `abs(-1)` → `abs(-2)`",
        "line 7: `return (sorted(values, key=lambda value: value.real), x.conjugate())` → "
        "`return (x.conjugate(), sorted(values, key=lambda value: value.real))`",
        "line 7: `x.conjugate()` → `x`",
    }


def test_functions_of_modules_become_their_argument():
    found = {mutant.description for mutant in mutants(ATTENTION.reference)}
    assert "line 12: `math.sqrt(q.shape[-1])` → `q.shape[-1]`" in found


def test_mutant_sees_the_names_of_its_module():
    made = build(ATTENTION.reference, unchanged(ATTENTION.reference))
    assert made is not ATTENTION.reference
    arguments = torch.ones(2, 3), torch.ones(5, 3), torch.ones(5, 7), torch.zeros(2, 5, dtype=torch.bool)
    assert all(map(torch.equal, made(*arguments), ATTENTION.reference(*arguments)))


def test_weak_exam_falls_below():
    weak = dataclasses.replace(ATTENTION, criteria=ATTENTION.criteria[-1:])
    run = run_mutants(weak)
    assert run.share < 0.95
    assert not run.enough
    assert "line 14: `scores.softmax(-1)` → `scores`" in run.survivors


def test_declared_equivalents_are_not_counted_and_stale_ones_are_told():
    def double(x):
        return x * 2

    exam = small_exam(double)
    weak = dataclasses.replace(exam, criteria=(dataclasses.replace(exam.criteria[0], observe="dtypes"),))
    survivors = run_mutants(weak).survivors
    assert survivors == ("line 2: `x * 2` → `x / 2`", "line 2: `x * 2` → `x * 3`")
    declared = dict.fromkeys(survivors, "only the dtype is asked")
    assert run_mutants(weak, {"small": declared}).enough
    stale = run_mutants(exam, {"small": declared})
    assert stale.stale == survivors
    assert stale.share == 1
    assert not stale.enough


def test_mutant_that_never_ends_is_caught(monkeypatch):
    def count_down(x, n):
        while n != 0:
            n -= 1
        return x

    monkeypatch.setattr(mutation_run, "SECONDS", 0.2)
    run = run_mutants(small_exam(count_down, 3))
    assert "line 3: `n -= 1` → `pass`" in {mutant.description for mutant in mutants(count_down)}
    assert "line 3: `n -= 1` → `pass`" not in run.survivors


def test_a_mutant_is_not_interrupted_where_the_interruption_would_be_lost():
    """Most of the time here goes into callbacks, whose exceptions Python prints; pytest takes that for an error."""

    class Key:
        pass

    def forget_for_ever():
        seen = weakref.WeakKeyDictionary()
        while True:
            seen[Key()] = None

    for _ in range(30):
        with pytest.raises(mutation_run.TookTooLong), mutation_run._time_limit(0.01):
            forget_for_ever()


def test_exam_that_breaks_on_a_mutant_has_not_caught_it():
    def double(x):
        return x * 2

    class Fragile(CodeExam):
        def examine(self, answer, criterion, draw):
            if not answer(torch.ones(1)) == 2:
                raise RuntimeError("this exam has a bug")

    exam = Fragile(exercise="fragile", function=double, outputs=("y",), criteria=small_exam(double).criteria)
    assert run_mutants(exam).share == 0


def test_reference_without_source_is_refused():
    with pytest.raises(CourseError, match="write the reference with `def`"):
        run_mutants(small_exam(torch.relu))


def test_reference_that_cannot_be_built_again_is_refused():
    hidden = 2

    def closure(x):
        return x * hidden

    with pytest.raises(CourseError, match="loses points when it is built from its source"):
        run_mutants(small_exam(closure))
