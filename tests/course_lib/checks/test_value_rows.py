"""Checks of answers that are values: what can be judged is judged at once, the rest says that it is graded later."""

import re

import pytest
import torch

from autograder.exam_types import (
    ChooseExam,
    CodeExam,
    CounterexampleExam,
    ExperimentExam,
    LadderExam,
    ModuleExam,
    ShapesExam,
    StudentTestsExam,
    TrainedExam,
)
from autograder.exams import EXAMS
from course_lib.cards import session_outcomes
from course_lib.cards.cards import read_cards
from course_lib.cards.session_outcomes import Outcome, outcomes
from course_lib.checks import CheckFailed, check
from course_lib.checks.claims import CLAIMS
from course_lib.checks.measurements import MEASUREMENTS
from course_lib.checks.result_text import diagnosis_text
from course_lib.checks.trained_tasks import TRAINED_TASKS
from course_lib.checks.tried_models import TRIED_MODELS


def of_kind(kind):
    return [exam for exam in EXAMS.values() if isinstance(exam, kind)]


def each(kind, *names):
    exams = [exam for exam in of_kind(kind) if not names or exam.exercise in names]
    return pytest.mark.parametrize("exam", exams, ids=lambda exam: exam.exercise)


@pytest.fixture(autouse=True)
def _new_session():
    session_outcomes.forget()
    yield
    session_outcomes.forget()


@pytest.fixture
def said(capsys):
    def run(exercise, answer):
        try:
            check(exercise, answer)
        except CheckFailed as failed:
            return str(failed)
        return capsys.readouterr().out

    return run


@each(ChooseExam)
def test_a_choice_is_answered_and_never_passes(exam, said):
    for answer in (exam.reference, min(exam.options)):
        assert said(exam.exercise, answer) == (
            f"○ {exam.exercise}\n  ○ Your answer is {answer}. It is graded after you submit.\n"
        )
        assert outcomes() == {exam.exercise: Outcome.ANSWERED}


@each(CounterexampleExam)
def test_a_counterexample_is_judged_and_its_mistake_named(exam, said):
    for answer in (exam.reference, *exam.accepted):
        assert said(exam.exercise, answer).startswith(f"✓ {exam.exercise}")
    for known in exam.misconceptions:
        text = said(exam.exercise, known.answer)
        assert text.startswith("✗")
        assert f"→ {diagnosis_text([exam.mistake(known)])}" in text


def test_every_claim_is_that_of_an_exam_and_names_mistakes_that_it_has():
    assert CLAIMS.keys() == {exam.exercise for exam in of_kind(CounterexampleExam)}


@each(LadderExam)
def test_a_rung_is_judged_by_its_values(exam, said):
    for answer in (exam.reference, *exam.accepted):
        assert said(exam.exercise, answer).startswith(f"✓ {exam.exercise}")
    for known in exam.misconceptions:
        assert "✗ rung" in said(exam.exercise, known.answer)


@each(ExperimentExam, *MEASUREMENTS)
def test_a_measurement_is_measured_again(exam, said):
    for answer in (exam.reference, *exam.accepted):
        assert said(exam.exercise, answer).startswith(f"✓ {exam.exercise}")
    for known in exam.misconceptions:
        assert said(exam.exercise, known.answer).startswith(f"✗ {exam.exercise}")


@each(ExperimentExam, *MEASUREMENTS)
def test_a_second_measurement_tolerates_what_the_exam_tolerates(exam):
    limits = MEASUREMENTS[exam.exercise]()
    assert limits.keys() == set(exam.numbers)
    reach = {name: one for one in exam.criteria for name in one.names or exam.numbers}
    for name, (low, high) in limits.items():
        expected = exam.reference[name]
        tolerance = reach[name].reach(expected)
        assert low == pytest.approx(expected - tolerance, abs=0.02 * abs(expected) + 2e-3)
        assert high == pytest.approx(expected + tolerance, abs=0.02 * abs(expected) + 2e-3)


def test_a_second_measurement_leaves_the_random_numbers_alone():
    before = torch.random.get_rng_state()
    for measure in MEASUREMENTS.values():
        measure()
    assert torch.equal(before, torch.random.get_rng_state())


@each(ExperimentExam)
def test_numbers_that_cannot_be_measured_again_are_answered(exam, said):
    if exam.exercise not in MEASUREMENTS:
        for answer in (exam.reference, *exam.accepted):
            assert re.search(r"○ Your answer is .*\. It is graded after you submit\.", said(exam.exercise, answer))


def test_an_impossible_number_is_said_at_once(said):
    text = said("digits_accuracy", {"training": 97, "test": 0.95})
    assert "✗ your numbers are possible" in text
    assert "training is 97, expected numbers between 0 and 1" in text


@each(StudentTestsExam)
def test_a_test_is_tried_on_a_right_and_on_a_broken_model(exam, said):
    assert exam.exercise in TRIED_MODELS
    for answer in (exam.reference, *exam.accepted):
        text = said(exam.exercise, answer)
        assert text.startswith(f"○ {exam.exercise}")
        assert "✓ it accepts a correct model" in text
        assert "✓ it catches a broken one" in text

    def alarms(model):
        model(torch.zeros(2, 5, 4) if exam.exercise == "causality_test" else torch.zeros(2, 5, dtype=torch.int64))
        raise AssertionError("wrong")

    assert "gives a false alarm on a correct model (AssertionError: wrong)" in said(exam.exercise, alarms)
    passes = said(exam.exercise, lambda model: alarms(model) if model is None else bool(model) or None)
    assert "✗" in passes


@each(StudentTestsExam)
def test_bit_for_bit_is_a_false_alarm(exam, said):
    exact = next(known for known in exam.misconceptions if known.slug in ("exactly", "to-the-last-bit"))
    assert "✗ it accepts a correct model" in said(exam.exercise, exact.answer)


@each(TrainedExam)
def test_a_trained_model_is_measured_on_what_no_training_has_seen(exam, said):
    assert exam.exercise in TRAINED_TASKS
    for answer in (exam.reference, *exam.accepted):
        assert said(exam.exercise, answer).startswith(f"✓ {exam.exercise}")
    for known in exam.misconceptions:
        assert said(exam.exercise, known.answer).startswith(f"✗ {exam.exercise}")


@each(ShapesExam)
def test_a_sheet_asks_first_and_tells_on_the_third_try(exam, said):
    name = list(exam.sheet)[-1]
    tries = [said(exam.exercise, exam.sheet | {name: entry}) for entry in ("B", "B B", "B B", "B B B B")]
    assert tries[0].count("✗") == 2
    assert "?" in tries[0]
    assert "?" not in tries[1]
    assert tries[1] == tries[2]
    assert re.search(r"gives \(|has the shape of|expected [dt]", tries[3])
    assert not re.search(r"gives \(|has the shape of|expected [dt]", "".join(tries[:3]))


def test_what_follows_from_a_wrong_entry_is_not_said_to_be_wrong(said):
    text = said("cross_attention_shapes", EXAMS["cross_attention_shapes"].sheet | {"K": "B n_tgt d_q"})
    assert "✗ K = X_src @ W_k" in text
    assert "○ scores = Q @ K.T: judged once K is right" in text


VALUES = [exam for exam in EXAMS.values() if not isinstance(exam, CodeExam | ModuleExam)]


@pytest.mark.parametrize("exam", VALUES, ids=lambda exam: exam.exercise)
def test_a_tick_means_right(exam, said):
    """No known wrong answer and no shortcut gets one."""
    for answer in (*(known.answer for known in exam.misconceptions), *exam.shortcuts):
        if exam.grade(answer).score < exam.points:
            assert said(exam.exercise, answer)[0] in "○✗", answer


def test_no_card_of_a_choice_or_a_counterexample_holds_an_answer():
    for exam in of_kind(ChooseExam):
        assert read_cards()[exam.exercise].keys() == {"kind", "letters"}
    for exam in of_kind(CounterexampleExam):
        assert read_cards()[exam.exercise].keys() == {"kind", "parts", "mistakes"}
    for exam in of_kind(ExperimentExam):
        assert read_cards()[exam.exercise].keys() == {"kind", "numbers", "between"}
