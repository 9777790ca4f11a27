"""Records of grades: one that is damaged costs its submission a second grading, and nothing else."""

import json

import pytest
from builders.quick_class import grade, preview, quick_grading

from autograder.course.units import find_unit
from autograder.gradebook.record import VERSION, Damaged, GradeRecord
from autograder.gradebook.record_files import (
    history_path,
    open_record,
    read_record,
    record_path,
    recorded_students,
)
from autograder.grading import worker_pool

UNIT = find_unit("01")


def with_criterion(record, **change):
    next(iter(record["graded"]["verdicts"].values()))["criteria"][0] |= change
    return json.dumps(record)


DAMAGES = {
    "nothing": lambda record: "",
    "half": lambda record: json.dumps(record)[:200],
    "a list": lambda record: "[1]",
    "graded is a list": lambda record: json.dumps(record | {"graded": []}),
    "graded lacks its parts": lambda record: json.dumps(record | {"graded": {}}),
    "made is a text": lambda record: json.dumps(record | {"made": "yesterday"}),
    "a number is none": lambda record: json.dumps(record | {"graded": record["graded"] | {"seconds": "long"}}),
    "a score is a boolean": lambda record: with_criterion(record, score=True),
    "a score is beyond all measure": lambda record: with_criterion(record, score=1e12),
    "a message is a number": lambda record: with_criterion(record, message=3),
    "the result has an unknown status": lambda record: json.dumps(
        record | {"result": record["result"] | {"status": "?"}}
    ),
    "the result is missing": lambda record: json.dumps(record | {"result": {}}),
    "of a later version": lambda record: json.dumps(record | {"version": VERSION + 1}),
    "too deep": lambda record: "[" * 100_000,
}


def damage(directory, how):
    path = record_path(directory, UNIT, "ada")
    path.write_text(DAMAGES[how](json.loads(path.read_text("utf-8"))), "utf-8")


@pytest.mark.parametrize("how", DAMAGES)
def test_a_damaged_record_is_made_again(class_of_two, how, monkeypatch):
    whole, graded = read_record(class_of_two, UNIT, "ada"), []
    damage(class_of_two, how)
    with pytest.raises(Damaged, match="its result file"):
        open_record(class_of_two, UNIT, "ada")
    monkeypatch.setattr(worker_pool, "grade_here", lambda *a: graded.append(1) or quick_grading(*a))
    assert preview(class_of_two, UNIT)["ada"].after == 36
    assert {student: result.score for student, result in grade(class_of_two, UNIT).items()} == {"ada": 36, "bob": 36}
    assert len(graded) == 2  # once to look, once to write; bob's holds
    again = read_record(class_of_two, UNIT, "ada")
    assert (again.key, again.graded) == (whole.key, whole.graded)


@pytest.mark.parametrize("how", ["nothing", "half", "a list"])
def test_the_history_of_a_damaged_record_says_what_to_do(class_of_two, how, course):
    damage(class_of_two, how)
    code, printed = course("history", class_of_two.root, "01", "ada")
    assert code == 1
    assert "is damaged, so it cannot be shown: `course grade" in printed


@pytest.mark.parametrize("text", ["{", "[1]\n", "\x00"])
def test_a_damaged_history_is_named(class_of_two, text, course):
    path = history_path(class_of_two, UNIT, "ada")
    path.parent.mkdir()
    path.write_text(text, "utf-8")
    code, printed = course("history", class_of_two.root, "01", "ada")
    assert code == 1
    assert f"the history in {path} cannot be read: mend it or move it away" in printed


def test_what_grading_writes_is_read(class_of_two):
    assert recorded_students(class_of_two, UNIT) == ["ada", "bob"]
    record = open_record(class_of_two, UNIT, "bob")
    assert sum(verdict.score for verdict in record.graded.verdicts.values()) == 36
    assert (record.made.parts.sandbox, record.graded.repairs, record.graded.problems) == ("none", [], [])
    with pytest.raises(Damaged, match="there is no result file"):
        open_record(class_of_two, UNIT, "nobody")


def test_a_record_is_the_same_when_it_is_read(class_of_two):
    record = open_record(class_of_two, UNIT, "bob")
    text = record_path(class_of_two, UNIT, "bob").read_text("utf-8")
    assert json.loads(text)["version"] == VERSION
    assert json.dumps(record.to_json(), ensure_ascii=False) == text
    assert GradeRecord.from_json(json.loads(text)) == record


def test_a_record_of_version_1_is_read_and_stays_until_its_grade_changes(class_of_two, monkeypatch):
    """It had no number, and at first neither what made the grade nor the digests of the answers."""
    path, record = record_path(class_of_two, UNIT, "ada"), open_record(class_of_two, UNIT, "ada")
    first = record.to_json()
    del first["version"]
    path.write_text(json.dumps(first), "utf-8")
    assert open_record(class_of_two, UNIT, "ada") == record
    monkeypatch.setattr(worker_pool, "grade_here", None)
    grade(class_of_two, UNIT)
    assert json.loads(path.read_text("utf-8")) == first
    for name in ("timed_out", "answers", "versions", "bubblewrap"):
        del first["graded"][name]
    del first["made"]
    path.write_text(json.dumps(first), "utf-8")
    oldest = open_record(class_of_two, UNIT, "ada")
    assert oldest.made is None
    assert (oldest.graded.verdicts, oldest.result) == (record.graded.verdicts, record.result)
    grade(class_of_two, UNIT)  # with nothing known of the limits, the grade holds
    assert json.loads(path.read_text("utf-8")) == first
