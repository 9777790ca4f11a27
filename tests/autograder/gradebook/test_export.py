"""Exports, read again by a csv parser, say what the gradebook says; odd names and large classes included."""

import csv
import os
import shutil
import subprocess
import sys
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from builders.quick_class import grade, hand_in, quick_grading

from autograder.classroom.directory import ClassDirectory, init_class
from autograder.classroom.release import release_unit
from autograder.classroom.roster import Enrolled, Roster
from autograder.classroom.settings import SETTINGS
from autograder.course.units import find_unit
from autograder.gradebook.enrolment import enrol
from autograder.gradebook.export import FORMS, export_scores
from autograder.grading import worker_pool

ONE, TWO = find_unit("01"), find_unit("00")
DUE = datetime(2026, 3, 1, 12)
PEOPLE = [
    Enrolled("12345", "Ada", "Lovelace", "ada@uni.example", "12345"),
    Enrolled("ada", "Ada", "Lovelace", "ada2@uni.example", "777"),  # the same name
    Enrolled("zoë.s", '=HYPERLINK("x")', "@cmd|' /C calc'!A0", ""),
    Enrolled("late one", "-2+3", '+"quoted", with comma', "l@uni.example"),
    Enrolled("absent", "Nobody", "O'Hara 💥", "absent@uni.example"),
]
MANUAL = "explain_attention_matrix"


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    directory = init_class(tmp_path_factory.mktemp("export") / "class")
    release_unit(directory, ONE, DUE)
    release_unit(directory, TWO)
    (directory.root / SETTINGS).write_text('[late]\npenalty_per_day = 10\n\n[canvas]\n"01" = 4711\n', "utf-8")
    enrol(directory, Roster(PEOPLE, "id"))
    for person in PEOPLE[:-1]:
        late = person.id.startswith("late")
        misses = ("gram_attention",) if person.id == "ada" else ()
        hand_in(directory, ONE, person.id, misses=misses, when=DUE + timedelta(days=1.5 if late else -1))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(worker_pool, "grade_here", quick_grading)
        grade(directory, ONE)
        with directory.gradebook() as gradebook:
            for student, points in (("12345", 3.25), ("late one", 4.0)):
                one = gradebook.find_grade(MANUAL, ONE.notebook.stem, ONE.full_name, student)
                one.manual_score, one.needs_manual_grade = points, False
                said = gradebook.find_comment(MANUAL, ONE.notebook.stem, ONE.full_name, student)
                said.manual_comment = "=Well said;\nmore, please."
            gradebook.db.commit()
        grade(directory, ONE)
    return directory


@pytest.fixture
def a_class(graded, tmp_path):
    shutil.copytree(graded.root, tmp_path / "class")
    return ClassDirectory(tmp_path / "class")


def in_gradebook(directory):
    with directory.gradebook() as gradebook:
        return {
            s.student.id: (s.score - (s.late_submission_penalty or 0.0), s.late_submission_penalty or 0.0)
            for s in gradebook.assignment_submissions(ONE.full_name)
        }


def read(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, strict=True))


@pytest.fixture(scope="module")
def exported(graded, tmp_path_factory):
    """The rows of each form."""
    path, rows = tmp_path_factory.mktemp("exported") / "scores.csv", {}
    for form in FORMS:
        assert export_scores(graded, form, path) == (5, 2)
        rows[form] = read(path)
    return rows


@pytest.mark.parametrize(
    ("form", "id_columns", "title"),
    [
        ("csv", ["student_id"], "01 Shapes of cross-attention (of 40)"),
        ("canvas", ["SIS Login ID", "ID"], "01 Shapes of cross-attention (4711)"),
        ("moodle", ["Username"], "01 Shapes of cross-attention"),
    ],
)
def test_scores_are_those_of_the_gradebook(graded, exported, form, id_columns, title):
    named = [(next((row[name] for name in id_columns if row[name]), ""), row[title]) for row in exported[form]]
    found = {student: score for student, score in named if student}
    assert found.pop("absent") in ("", "-")
    assert {student: float(score) for student, score in found.items()} == {
        student: pytest.approx(final) for student, (final, _) in in_gradebook(graded).items()
    }
    assert float(found["late one"]) == 32  # of 36 and 4, less a fifth
    assert float(found["12345"]) == 39.25


def test_plain_has_the_penalty_and_no_formulas(exported):
    rows = exported["csv"]
    assert {row["student_id"]: row["01 late penalty"] for row in rows}["late one"] == "8.0"
    assert all(not cell.startswith(("=", "+", "-", "@")) for row in rows for cell in row.values())
    names = {row["student_id"]: (row["first_name"], row["last_name"]) for row in rows}
    assert names["late one"] == ("'-2+3", '\'+"quoted", with comma')
    assert names["absent"] == ("Nobody", "O'Hara 💥")


def test_canvas_has_its_own_columns(exported):
    rows = exported["canvas"]
    assert list(rows[0])[:5] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
    assert set(list(rows[0])[5:]) == {"01 Shapes of cross-attention (4711)", f"00 {TWO.title}"}
    assert rows[0]["Student"] == "    Points Possible"
    assert float(rows[0]["01 Shapes of cross-attention (4711)"]) == 40
    found_by = {(row["ID"], row["SIS Login ID"]) for row in rows[1:]}
    assert found_by == {("12345", ""), ("777", "ada"), ("", "zoë.s"), ("", "late one"), ("", "absent")}
    assert not any(row["Student"].startswith(("=", "+", "-", "@")) for row in rows)
    assert all(row["00 " + TWO.title] == "" for row in rows[1:])


def test_moodle_has_feedback_and_never_an_empty_grade(exported):
    rows = exported["moodle"]
    title = "01 Shapes of cross-attention"
    by_id = {row["ID number"]: row for row in rows}
    assert {row["Username"] for row in rows} == set(by_id) == {person.id for person in PEOPLE}
    assert by_id["12345"]["Email address"] == "ada@uni.example"
    assert by_id["absent"][title] == "-"
    assert by_id["absent"][f"Feedback: {title}"] == ""
    said = by_id["late one"][f"Feedback: {title}"]
    assert said == "32 of 40 points. Late: 8 points taken off. =Well said;\nmore, please."
    assert "still wait" in by_id["ada"][f"Feedback: {title}"]


def test_the_command_says_what_still_waits(a_class, course, tmp_path):
    code, printed = course("export", a_class.root, "-o", tmp_path / "scores.csv")
    assert code == 0, printed
    assert "scores of 5 students" in printed
    assert "2 submissions have answers that still wait" in printed


def test_an_empty_class_is_said_in_a_sentence(tmp_path, course):
    directory = init_class(tmp_path / "class")
    code, printed = course("export", directory.root, "-o", tmp_path / "scores.csv")
    assert code == 1
    assert "no unit is released" in printed
    release_unit(directory, TWO)
    code, printed = course("export", directory.root, "-o", tmp_path / "scores.csv")
    assert code == 1
    assert "there is nobody in" in printed
    assert not (tmp_path / "scores.csv").exists()


def test_one_student_and_a_unit_nobody_handed_in(tmp_path):
    directory = init_class(tmp_path / "class")
    release_unit(directory, TWO)
    enrol(directory, Roster([Enrolled("ada")], "id"))
    for form in FORMS:
        assert export_scores(directory, form, tmp_path / "scores.csv") == (1, 0)
        assert len(read(tmp_path / "scores.csv")) == (2 if form == "canvas" else 1)


def test_a_thousand_students(a_class, tmp_path):
    crowd = [Enrolled(f"student {n}", "Same", "Name", f"s{n}@uni.example") for n in range(1000)]
    assert len(enrol(a_class, Roster(crowd, "id")).added) == 1000
    for form in FORMS:
        assert export_scores(a_class, form, tmp_path / "scores.csv")[0] == 1005
    assert len({row["Email address"] for row in read(tmp_path / "scores.csv")}) == 1005


def test_nbgraders_own_exporter_works(a_class, tmp_path):
    with a_class.gradebook() as gradebook:  # it writes names as they are, without quotes
        for student in ("zoë.s", "late one"):
            gradebook.update_or_create_student(student, first_name="", last_name="")
    scripts = Path(sys.executable).parent
    done = subprocess.run(
        [scripts / "nbgrader", "export", f"--to={tmp_path / 'stock.csv'}"],
        cwd=a_class.root,
        env=os.environ | {"PATH": os.pathsep.join([str(scripts), os.environ["PATH"]])},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    rows = [row for row in read(tmp_path / "stock.csv") if row["assignment"] == ONE.full_name]
    scores = in_gradebook(a_class)
    assert {row["student_id"]: float(row["score"]) for row in rows} == {
        person.id: pytest.approx(scores.get(person.id, (0.0, 0.0))[0]) for person in PEOPLE
    }
