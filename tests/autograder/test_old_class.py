"""A class of version 0.1 goes on under this one: it opens, is graded again by itself, and keeps what people gave.

`tests/fixtures/class_of_0.1.tar.xz` holds a class directory as version 0.1 left it, with units 01 and 05 graded.
"""

import csv
import json
import re
import tarfile
from pathlib import Path

import pytest
from builders.course_command import run_course
from nbgrader.api import Grade, Gradebook

from autograder.classroom.directory import open_class
from autograder.course.units import find_unit

FIXTURE = Path(__file__).parent.parent / "fixtures" / "class_of_0.1.tar.xz"
UNITS = ("01", "05")
EXPLAINED = "explain_attention_matrix"


# what later versions give on purpose: see CHANGELOG.md
SINCE = {
    ("01", "half-done"): {"test_cross_attention": 0.0},  # unchanged arguments alone earn nothing
    ("01", "roles-swapped"): {"test_cross_attention": 0.0},
    ("01", "no-scale"): {"test_cross_attention": 5.0},  # graded with our attention, because theirs has no scale
    ("05", "no-scale"): {"test_causal_attention": 3.0},
}


def unpacked(folder):
    with tarfile.open(FIXTURE) as archive:
        safely = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}  # before 3.11.4 there is none
        archive.extractall(folder, **safely)
    return folder


def automatic(scores):
    """Of the cells that the examiner grades; the others are a person's."""
    return {who: {cell: s for cell, s in cells.items() if cell.startswith("test_")} for who, cells in scores.items()}


def recorded_scores(root):
    """The automatic score of each graded cell by (unit, student), as version 0.1 wrote it in results/."""
    records = {path: json.loads(path.read_text("utf-8")) for path in root.glob("results/*/*.json")}
    return {
        (path.parent.name[:2], path.stem): {
            cell: float(verdict["score"]) for cell, verdict in record["graded"]["verdicts"].items() if verdict
        }
        for path, record in records.items()
    }


def gradebook_scores(root, column):
    """A column of nbgrader's grades by (unit, student) and cell; cells without a value are left out."""
    scores = {}
    with Gradebook(f"sqlite:///{root / 'gradebook.db'}") as gradebook:
        for grade in gradebook.db.query(Grade):
            submission = grade.notebook.assignment
            cells = scores.setdefault((submission.assignment.name[:2], submission.student_id), {})
            if (score := getattr(grade, column)) is not None:
                cells[grade.cell.name] = score
    return scores


def history_lines(root):
    """How many grades before the last one are kept, by (unit, student)."""
    found = {(path.parent.name[:2], path.stem): 0 for path in root.glob("results/*/*.json")}
    for path in root.glob("results/*/history/*.jsonl"):
        found[path.parent.parent.name[:2], path.stem] = len(path.read_text("utf-8").splitlines())
    return found


@pytest.fixture
def old_class(tmp_path):
    return unpacked(tmp_path)


@pytest.fixture(scope="module")
def regraded(needs_sandbox, tmp_path_factory):
    """The class after `course grade` of both units, without --force."""
    root = unpacked(tmp_path_factory.mktemp("old"))
    for unit in UNITS:
        assert run_course("grade", root, unit) == 0
    return root


def test_the_fixture_is_as_it_should_be(old_class):
    """So that the comparisons below compare something."""
    totals = {who: sum(cells.values()) for who, cells in recorded_scores(old_class).items()}
    assert totals["01", "perfect"] == find_unit("01").points - 4  # which a person gives
    assert totals["01", "blank"] == 0
    assert 0 < totals["01", "half-done"] < totals["01", "perfect"]
    assert totals["05", "no-scale"] < totals["05", "perfect"] == find_unit("05").points
    assert gradebook_scores(old_class, "manual_score")["01", "no-scale"] == {EXPLAINED: 2}
    notebook = find_unit("05").full_name
    assert "from course_lib.attention import" in (old_class / "release" / notebook / f"{notebook}.ipynb").read_text()


def test_it_opens(old_class):
    directory = open_class(old_class)
    assert directory.students(find_unit("01")) == ["blank", "half-done", "no-scale", "perfect", "roles-swapped"]
    with directory.gradebook() as gradebook:
        assert len(gradebook.students) == 5


def test_its_history_is_shown(old_class, capsys):
    assert run_course("history", old_class, "01", "half-done") == 0
    scores = re.findall(r"([\d.]+) / 40", capsys.readouterr().out)
    assert scores == ["22", "28.33"]


def test_its_pages_show_the_grades_of_then(old_class):
    """Before anything is graded again."""
    assert run_course("report", old_class) == 0
    assert run_course("feedback", old_class, "01") == 0
    page = next(old_class.glob("feedback/half-done/*/*.html")).read_text("utf-8")
    assert "28.33" in page


def test_the_automatic_scores_are_the_same_but_where_they_changed_on_purpose(regraded, old_class):
    was = recorded_scores(old_class)
    assert len(was) == 7
    now = automatic(gradebook_scores(regraded, "auto_score"))
    assert now == {who: pytest.approx(cells | SINCE.get(who, {})) for who, cells in was.items()}


def test_what_a_person_gave_stays(regraded, old_class):
    given = gradebook_scores(regraded, "manual_score")
    assert given == gradebook_scores(old_class, "manual_score")
    assert given["01", "perfect"] == {EXPLAINED: 4}


def test_everybody_is_graded_again_once_and_the_old_grade_is_kept(regraded, old_class):
    """Files that moved change the digest of the exams' code, so no grade of version 0.1 counts as up to date."""
    assert history_lines(regraded) == {who: lines + 1 for who, lines in history_lines(old_class).items()}
    assert history_lines(old_class)["01", "half-done"] == 1
    assert run_course("grade", regraded, "01") == 0
    assert history_lines(regraded) == {who: lines + 1 for who, lines in history_lines(old_class).items()}


def test_its_scores_are_exported(regraded, old_class, tmp_path):
    assert run_course("export", regraded, "--output", tmp_path / "scores.csv") == 0
    with (tmp_path / "scores.csv").open(newline="", encoding="utf-8") as file:
        rows = {row["student_id"]: list(row.values()) for row in csv.DictReader(file)}
    was, given = recorded_scores(old_class), gradebook_scores(old_class, "manual_score")
    for (unit, student), cells in was.items():
        total = sum((cells | SINCE.get((unit, student), {})).values()) + sum(given[unit, student].values())
        assert float(rows[student][4 + 2 * UNITS.index(unit)]) == pytest.approx(total)


def test_it_gets_feedback_and_a_report(regraded):
    for unit in UNITS:
        assert run_course("feedback", regraded, unit) == 0
    assert len(list(regraded.glob("feedback/*/*/*.html"))) == 7
    assert run_course("report", regraded) == 0
    assert "half-done" in (regraded / "reports" / "class.html").read_text("utf-8")
