"""Writing into nbgrader's gradebook: what it costs does not grow with the exercises of a unit."""

import pytest
from builders.quick_class import grade, hand_in, quick_grading
from sqlalchemy import event
from sqlalchemy.engine import Engine

from autograder.classroom.directory import init_class
from autograder.classroom.release import release_unit
from autograder.course.units import find_unit
from autograder.exams import UNITS
from autograder.grading import worker_pool

MOST_STATEMENTS = 25  # nbgrader's own way of loading takes three more for each exercise


@pytest.fixture
def statements_for_one(tmp_path, monkeypatch):
    """How many statements a submission to a unit takes, apart from what a class takes at any size."""
    monkeypatch.setattr(worker_pool, "grade_here", quick_grading)

    def for_class(unit, size):
        directory = init_class(tmp_path / f"class-{unit.id}-{size}")
        release_unit(directory, unit)
        for number in range(size):
            hand_in(directory, unit, f"student-{number}", words=f"Sentence {number}.")
        sent = []

        def note(connection, cursor, statement, *rest):
            sent.append(statement)

        event.listen(Engine, "before_cursor_execute", note)
        try:
            grade(directory, unit)
        finally:
            event.remove(Engine, "before_cursor_execute", note)
        return len(sent)

    def for_one(number):
        unit = find_unit(number)
        return (for_class(unit, 4) - for_class(unit, 2)) / 2

    return for_one


def test_a_submission_to_a_long_unit_takes_no_more_statements_than_one_to_a_short_one(statements_for_one):
    short, long = "00", "02"
    assert len(UNITS[long]) > 2 * len(UNITS[short])
    assert statements_for_one(short) <= MOST_STATEMENTS
    assert statements_for_one(long) <= MOST_STATEMENTS
