"""What made a grade: the key changes with every part of it, and with nothing else."""

import ast
import sys
from dataclasses import replace

import pytest

from autograder.course.code_digest import exam_digest, grading_code, library_digest
from autograder.course.units import ROOT, find_unit, written_units
from autograder.examiner.assignment import Assignment, Limits
from autograder.examiner.graded import Graded
from autograder.gradebook.record import GradeRecord, Made
from autograder.gradebook.results import Result, Status
from autograder.grading.provenance import changed_parts, more_time_would_help, parts_of
from autograder.sandbox import bubblewrap

UNIT = find_unit("01")
ASSIGNMENT = Assignment(UNIT, b"released", b"source", "none")


def test_the_key_is_the_same_for_the_same_parts():
    assert parts_of(ASSIGNMENT, b"mine").key == parts_of(replace(ASSIGNMENT), b"mine").key
    longer = replace(ASSIGNMENT, limits=Limits(cell=99))
    assert parts_of(longer, b"mine").key == parts_of(ASSIGNMENT, b"mine").key


@pytest.mark.parametrize("part", ["submission", "released", "source", "exam", "library", "sandbox", "versions"])
def test_the_key_changes_with_each_part_which_is_named(part):
    parts = parts_of(ASSIGNMENT, b"mine")
    other = replace(parts, **{part: {"torch": "0"} if part == "versions" else "other"})
    assert other.key != parts.key
    made = Made(parts, ASSIGNMENT.limits, "a seed", "a time")
    assert changed_parts(made, other, ASSIGNMENT.limits) == [part]
    assert changed_parts(made, parts, Limits(cell=1)) == ["limits"]
    assert changed_parts(made, parts, ASSIGNMENT.limits) == []


def test_another_bubblewrap_calls_for_no_new_grade(monkeypatch, tmp_path):
    assignment = replace(ASSIGNMENT, sandbox="bwrap")
    before = parts_of(assignment, b"mine").key
    program = tmp_path / "bwrap"
    program.write_text("#!/bin/sh\necho bubblewrap 99.0.0\n")
    program.chmod(0o755)
    monkeypatch.setattr(bubblewrap, "programs", lambda: iter([("elsewhere", str(program))]))
    bubblewrap.bubblewrap.cache_clear()
    try:
        assert str(bubblewrap.bubblewrap()) == "99.0.0 of elsewhere"
        assert parts_of(assignment, b"mine").key == before
    finally:
        bubblewrap.bubblewrap.cache_clear()


def test_bytes_cannot_move_from_one_part_to_the_next():
    one = parts_of(replace(ASSIGNMENT, released=b"ab", source=b"c"), b"d")
    two = parts_of(replace(ASSIGNMENT, released=b"a", source=b"bc"), b"d")
    assert one.key != two.key


def test_more_time_helps_those_who_ran_out_of_it():
    made = Made(parts_of(ASSIGNMENT, b"mine"), Limits(60.0, 20.0, 900.0), "a seed", "a time")
    result = Result("ada", UNIT.full_name, Status.GRADED, UNIT.points)
    for timed_out, limits, helps in (
        (True, Limits(cell=120), True),
        (True, Limits(submission=1800), True),
        (True, Limits(), False),
        (True, Limits(cell=30), False),
        (False, Limits(cell=120), False),
    ):
        record = GradeRecord("a key", Graded(timed_out=timed_out), made, result)
        assert more_time_would_help(record, limits) is helps
        assert not more_time_would_help(replace(record, made=None), limits)


def test_what_grading_runs_is_in_the_digest_and_other_units_are_not():
    code = {path.relative_to(ROOT / "autograder").as_posix() for path in grading_code(UNIT)}
    assert {
        "examiner/grade_submission.py",
        "exam_types/verdict.py",
        "examiner/session.py",
        "exam_types/code.py",
    } <= code
    assert any(name.startswith("exams/unit_01/") for name in code)
    assert not [name for name in code if name.startswith("exams/unit_") and not name.startswith("exams/unit_01/")]
    assert not [name for name in code if name.startswith(("cli/", "gradebook/", "reports/"))]


def test_every_module_that_grading_loads_is_found():
    """Python's own view, in this process, of what the modules in the digest import."""

    found = set().union(*(grading_code(unit) for unit in written_units()))
    for path in found:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("autograder."):
                module = sys.modules.get(node.module)
                assert module is None or module.__file__ in {str(one) for one in found}, node.module


def test_each_unit_has_a_digest_of_its_own():
    digests = {exam_digest(unit) for unit in written_units()}
    assert len(digests) == len(written_units())
    assert library_digest() not in digests
