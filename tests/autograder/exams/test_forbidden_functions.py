"""Every exercise that forbids functions: each way to each of them is found, and no honest answer is accused."""

import time

import pytest
from builders.roundabout import TOOLS, answer_using, ways

from autograder.course.dependencies import cells_needed
from autograder.course.notebooks import solution_notebook
from autograder.course.units import written_units
from autograder.exam_types.draw import Draw
from autograder.examiner.assignment import Limits
from autograder.examiner.session import Session
from autograder.exams import EXAMS
from autograder.sandbox.zygote_pool import new_kernel
from course_lib.cards.observed import Kind
from course_lib.checks import Finding

STRICT = {name: exam for name, exam in EXAMS.items() if exam.forbidden}
SEEDS = range(5)


def unit_of(exercise):
    return next(unit for unit in written_units() if f'"{exercise}"' in unit.source.read_text("utf-8"))


@pytest.fixture(params=STRICT, ids=STRICT)
def strict(request, needs_sandbox):
    """An exam, and a kernel in the sandbox that has run the course's own answer and what it needs."""
    exercise, unit = request.param, unit_of(request.param)
    session = Session(new_kernel(unit, "bwrap"), Limits(cell=60, call=20), time.monotonic() + 900)
    for cell in cells_needed(solution_notebook(unit), exercise):
        session.run(cell.source)
    assert not session.run(TOOLS)
    yield EXAMS[exercise], session
    session.close()


def accusation(exam, answer):
    """What is said of the first criterion that a forbidden function fails; nothing else may fail one."""
    for criterion in exam.criteria:
        try:
            exam.examine(answer, criterion, Draw(1))
        except Finding as finding:
            if finding.observed.kind is not Kind.FORBIDDEN:
                raise
            return str(finding)
    return None


def test_every_way_to_a_forbidden_function_is_found(strict):
    exam, session = strict
    assert accusation(exam, session.look_up(exam.exercise)[1]) is None
    missed = []
    for path in exam.forbidden:
        for way in ways(path):
            outputs = [*session.run(way.before), *session.run(answer_using(exam, way.use))]
            assert not [output for output in outputs if output.output_type == "error"], way
            if not accusation(exam, session.look_up("roundabout")[1]):
                missed.append(f"{path}: {way.name}")
    assert not missed
    assert accusation(exam, session.look_up(exam.exercise)[1]) is None


@pytest.mark.parametrize("exam", STRICT.values(), ids=STRICT)
def test_no_honest_answer_is_accused(exam):
    for answer in (exam.reference, *exam.accepted):
        for seed in SEEDS:
            assert not [each.message for each in exam.grade(answer, seed).criteria if each.observed]
