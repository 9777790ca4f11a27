"""Sealed grading gives the verdicts that grading in one process gives, on every answer of every bank."""

from dataclasses import replace

import pytest

from autograder.exams import EXAMS


def bank(exam):
    return [exam.reference, *(known.answer for known in exam.misconceptions), *exam.accepted]


def looked_at(verdict):
    """All that is said of each criterion but the line that is quoted, since the tests' import hook moves lines."""
    return [(c.name, c.score, _known(c.mistakes), _without_line(c.observed)) for c in verdict.criteria]


def _known(mistakes):
    """Without the explanations of exceptions, which depend on the line."""
    return [mistake for mistake in mistakes if not mistake.id.startswith("crash/")]


def _without_line(observed):
    return observed and replace(observed, line="", detail=observed.detail.partition("\nin line ")[0])


@pytest.mark.xdist_group("open session")
@pytest.mark.parametrize("exam", EXAMS.values(), ids=EXAMS)
def test_every_answer_of_the_bank_gets_the_same_verdict(exam, open_session):
    outputs = open_session.run(
        "from autograder.exams import EXAMS\n"
        f"exam = EXAMS[{exam.exercise!r}]\n"
        "for number, answer in enumerate([exam.reference, *(m.answer for m in exam.misconceptions), *exam.accepted]):\n"
        "    globals()[f'answer_{number}'] = answer"
    )
    assert not outputs
    for number, answer in enumerate(bank(exam)):
        defined, proxy = open_session.look_up(f"answer_{number}")
        assert defined
        here, there = exam.grade(answer), exam.grade(proxy)
        assert looked_at(there) == looked_at(here), number
