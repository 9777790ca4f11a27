"""Late work: what course.toml says, what it costs, and that nbgrader comes to the same."""

import os
import shutil
import subprocess
import sys
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from builders.quick_class import grade, hand_in, preview, quick_grading

from autograder.classroom.directory import ClassDirectory, init_class, write_timestamp
from autograder.classroom.release import release_unit
from autograder.classroom.settings import SETTINGS, ClassSettings, read_settings
from autograder.course.units import find_unit
from autograder.gradebook.late_policy import DAY, penalty
from autograder.gradebook.record_files import all_grades
from autograder.grading import worker_pool
from autograder.grading.grade_class import grade_class
from autograder.lab.doctor import examine_class

UNIT = find_unit("00")
DUE = datetime(2026, 3, 1, 12)
LATE = {"early": -1.0, "moment": 0.1, "hour": 1.0, "day": 25.0, "week": 24 * 7 - 1.0, "month": 24 * 30.0}  # hours
POLICY = '[late]\npenalty_per_day = 10\nmaximum = 50\ngrace = 15\n\n[extra_days]\nday = 1.5\nweek = { "00" = 4 }\n'


@pytest.fixture(scope="module")
def handed_in(tmp_path_factory):
    directory = init_class(tmp_path_factory.mktemp("late") / "class")
    release_unit(directory, UNIT, DUE)
    for student, hours in LATE.items():
        hand_in(directory, UNIT, student, when=DUE + timedelta(hours=hours))
    return directory


@pytest.fixture
def a_class(handed_in, tmp_path, monkeypatch):
    monkeypatch.setattr(worker_pool, "grade_here", quick_grading)
    shutil.copytree(handed_in.root, tmp_path / "class")
    return ClassDirectory(tmp_path / "class")


def penalties(directory):
    with directory.gradebook() as gradebook:
        found = gradebook.assignment_submissions(UNIT.full_name)
        return {s.student.id: s.late_submission_penalty or 0.0 for s in found}


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        (1, None),
        (900, None),
        (901, 4.0),
        (DAY, 4.0),
        (DAY + 1, 8.0),
        (4.5 * DAY, 20.0),
        (99 * DAY, 20.0),
    ],
)
def test_each_day_begun_costs_its_share_up_to_the_maximum(seconds, expected):
    assert penalty(ClassSettings(penalty_per_day=10, maximum=50, grace=15), 40.0, seconds) == expected


def test_a_new_class_has_settings_that_set_nothing(a_class):
    assert read_settings(a_class.root) == ClassSettings()
    results = grade(a_class, UNIT)
    assert set(penalties(a_class).values()) == {0.0}
    assert results["month"].late_seconds == 30 * DAY
    assert results["month"].late_penalty == 0
    (a_class.root / SETTINGS).unlink()
    assert read_settings(a_class.root) == ClassSettings()


def test_late_work_loses_points_and_extra_days_spare_them(a_class):
    (a_class.root / SETTINGS).write_text(POLICY, "utf-8")
    results = grade(a_class, UNIT)
    expected = {"early": 0.0, "moment": 0.0, "hour": 1.0, "day": 0.0, "week": 3.0, "month": 5.0}
    assert penalties(a_class) == expected
    assert {student: result.late_penalty for student, result in results.items()} == expected
    assert {student: result.final_score for student, result in results.items()} == {
        student: 10.0 - lost for student, lost in expected.items()
    }


def test_a_new_policy_counts_without_grading_again_and_is_shown_before(a_class, monkeypatch):
    grade(a_class, UNIT)
    (a_class.root / SETTINGS).write_text(POLICY, "utf-8")
    monkeypatch.setattr(worker_pool, "grade_here", None)
    changes = preview(a_class, UNIT)
    assert (changes["month"].before, changes["month"].after) == (10, 5)
    assert [(move.what, move.before, move.after) for move in changes["month"].moves] == [("late penalty", 0, -5)]
    assert set(penalties(a_class).values()) == {0.0}
    grade(a_class, UNIT)
    assert penalties(a_class)["month"] == 5
    assert [g.result.late_penalty for g in all_grades(a_class, UNIT, "month")] == [0, 5]


def test_a_persons_points_count_when_the_penalty_is_taken(a_class):
    (a_class.root / SETTINGS).write_text("[late]\npenalty_per_day = 50\n", "utf-8")
    grade(a_class, UNIT)
    with a_class.gradebook() as gradebook:
        one = gradebook.find_grade("test_batched_outer", UNIT.notebook.stem, UNIT.full_name, "hour")
        one.extra_credit = 2.0
        gradebook.db.commit()
    result = grade(a_class, UNIT)["hour"]
    assert (result.score, result.late_penalty, result.final_score) == (12, 6, 6)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[late]\npenalty_per_day = ten", "at line 2, column 19"),
        ("[late]\npenalty_per_day = 'ten'", "[late] penalty_per_day is 'ten', expected a number from 0 to 100"),
        ("[late]\npenalty_per_day = 110", "[late] penalty_per_day is 110, expected a number from 0 to 100"),
        ("[late]\npenalty_per_day = nan", "penalty_per_day is nan"),
        ("[late]\nmaximum = true", "[late] maximum is True"),
        ("[late]\ngrace = -1", "[late] grace is -1, expected a number, 0 or more"),
        ("[late]\nper_day = 10", "[late] has 'per_day', which is not a setting"),
        ("late = 10", "[late] is 10, expected a table"),
        ("[lates]\n", "the file has 'lates', which is not a setting: it may have late, extra_days, canvas"),
        ("[extra_days]\nada = 'two'", "[extra_days] \"ada\" is 'two'"),
        ('[extra_days]\nada = { "77" = 1 }', "[extra_days] \"ada\" names the unit '77', expected one of 00, 01"),
        ("[canvas]\n01 = 0", '[canvas] "01" is 0, expected the number of an assignment'),
        ("[extra_days]\nada lovelace = 2", "Ids that are not plain words need quotes"),
    ],
)
def test_a_mistake_in_the_settings_is_one_sentence_before_anything_is_graded(a_class, course, text, sentence):
    (a_class.root / SETTINGS).write_text(text, "utf-8")
    code, printed = course("grade", a_class.root, UNIT.id, "--sandbox", "none")
    assert code == 1
    assert sentence in " ".join(printed.split()), printed
    assert str(a_class.root / SETTINGS) in printed
    assert "Traceback" not in printed
    assert not list(a_class.root.glob("results/*/*"))


def test_the_doctor_finds_extra_days_of_someone_unknown(a_class):
    grade(a_class, UNIT)
    (a_class.root / SETTINGS).write_text("[extra_days]\nhuor = 3\n", "utf-8")
    assert "extra days for huor" in settings_sign(a_class).found
    assert not settings_sign(a_class).well
    (a_class.root / SETTINGS).write_text("[extra_days]\nhour = 3\n", "utf-8")
    assert settings_sign(a_class).well


def settings_sign(directory):
    (sign,) = [sign for sign in examine_class(directory) if sign.name == "settings"]
    return sign


@pytest.mark.xdist_group("class")
def test_nbgrader_autograde_takes_the_same_penalty(honest_class, unit, tmp_path):
    """The real engine, by our command and by nbgrader's."""
    root = tmp_path / "class"
    shutil.copytree(honest_class.root, root)
    (root / SETTINGS).write_text('[late]\npenalty_per_day = 10\n\n[extra_days]\nhalf-done = { "01" = 1 }\n', "utf-8")
    directory = ClassDirectory(root)
    with directory.gradebook() as gradebook:
        gradebook.update_or_create_assignment(unit.full_name, duedate=DUE.astimezone().isoformat())
    for student in ("no-scale", "half-done"):
        write_timestamp(directory.submission(student, unit).parent, DUE + timedelta(days=1, hours=1))
    for student in ("perfect", "blank", "syntax-error"):
        shutil.rmtree(root / "submitted" / student)
    here = {result.student: (result.score, result.late_penalty) for result in grade_class(directory, unit)}
    with directory.gradebook() as gradebook:
        for student in here:
            gradebook.remove_submission(unit.full_name, student)
    bin_folder = Path(sys.executable).parent
    path = os.pathsep.join([str(bin_folder), os.environ["PATH"]])
    done = subprocess.run(
        [bin_folder / "nbgrader", "autograde", unit.full_name, "--force"],
        cwd=root,
        env=os.environ | {"PATH": path},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    with directory.gradebook() as gradebook:
        found = gradebook.assignment_submissions(unit.full_name)
        stock = {s.student.id: (s.score, s.late_submission_penalty or 0.0) for s in found}
    assert stock == here
    assert here["no-scale"][1] == pytest.approx(0.2 * here["no-scale"][0])
    assert here["half-done"][1] == pytest.approx(0.1 * here["half-done"][0])
