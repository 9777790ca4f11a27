"""The banks as text: what students would write gets what the banks promise."""

import pytest

from autograder.course.units import find_unit, written_units
from autograder.demo.bank_answers import bank_answers
from autograder.demo.demo_class import HANDED_IN
from autograder.exams import EXAMS

DRAWN = [answer for name in HANDED_IN for answer in bank_answers(find_unit(name))]


@pytest.mark.parametrize("unit", written_units(), ids=lambda unit: unit.id)
def test_every_unit_has_answers_that_can_be_written_down(unit):
    answers = bank_answers(unit)
    assert len(answers) > 20
    for answer in answers:
        compile(answer.source, answer.exercise, "exec")
        assert "autograder" not in answer.source
        assert "course_lib" not in answer.source


@pytest.mark.parametrize("answer", DRAWN, ids=lambda answer: f"{answer.exercise}: {answer.says[:40] or 'right'}")
def test_an_answer_gets_what_its_bank_promises(answer):
    names: dict = {}
    exec(answer.source, names)
    verdict = EXAMS[answer.exercise].grade(names[answer.exercise], 1)
    if answer.says:
        assert verdict.score < verdict.points
        assert answer.says in verdict.diagnosis
    else:
        assert verdict.score == verdict.points, str(verdict)
