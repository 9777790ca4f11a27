"""A class from release to export, with good, blank, broken and hostile work in it."""

import csv
import json
import os
import shutil
from concurrent.futures import ThreadPoolExecutor

import nbformat
import pytest

from autograder.classroom.directory import ClassDirectory
from autograder.course.submitted_notebook import Rejected
from autograder.gradebook.record_files import read_record
from autograder.gradebook.results import Result
from autograder.grading.grade_class import grade_class
from autograder.grading.worker_pool import Workers
from autograder.sandbox.bubblewrap import bubblewrap
from autograder.terminal.results_table import line

pytestmark = pytest.mark.xdist_group("class")

FIELDS = {"student", "assignment", "status", "score", "max_score", "seconds", "seed", "exercises"}
MANUAL = "explain_attention_matrix"


def test_every_submission_has_its_line(graded_class):
    assert set(graded_class.results) == set(graded_class.directory.students(graded_class.unit))
    for result in graded_class.results.values():
        assert set(result) >= FIELDS
        assert result["max_score"] == 40
        assert len(result["seed"]) == 16
        for exercise in result["exercises"]:
            assert set(exercise) >= {"id", "points", "score", "criteria", "diagnosis"}


def test_a_grade_says_which_bubblewrap_ran(graded_class):
    used = str(bubblewrap())
    assert graded_class.results["perfect"]["bubblewrap"] == used
    record = read_record(graded_class.directory, graded_class.unit, "perfect")
    assert (record.made.parts.sandbox, record.made.bubblewrap) == ("bwrap", used)


def test_solution_gets_full_marks_on_everything_a_machine_can_grade(graded_class):
    result = graded_class.results["perfect"]
    assert result["status"] == "graded"
    for exercise in result["exercises"]:
        if exercise["id"] == MANUAL:
            assert exercise["status"] == "needs a person"
        else:
            assert exercise["score"] == exercise["points"], exercise
    assert result["score"] == 36


def test_blank_gets_nothing_and_nothing_crashes(graded_class):
    result = graded_class.results["blank"]
    assert (result["status"], result["score"]) == ("graded", 0)
    assert {e["status"] for e in result["exercises"]} == {"not tried"}
    path = graded_class.directory.root / "autograded" / "blank" / graded_class.unit.full_name
    notebook = nbformat.read(path / graded_class.unit.notebook.name, as_version=4)
    for cell in notebook.cells:
        if cell.metadata.get("nbgrader", {}).get("grade") and cell.cell_type == "code":
            assert not [o for o in cell.outputs if o.output_type == "error"]
    stubs = [c for c in notebook.cells if c.get("outputs") and c.outputs[0].get("ename") == "NotImplementedError"]
    assert len(stubs) >= 4  # the answers that are values raise when they are run


def test_partial_credit_and_diagnosis(graded_class):
    attention = graded_class.exercise("no-scale", "scaled_dot_product_attention")
    assert attention["score"] == 4
    assert attention["diagnosis"] == "Your weights equal attention without the 1/√d_k scale. See hint 3."
    passed = {c["name"]: c["score"] == c["points"] for c in attention["criteria"]}
    assert passed["masked keys get weight 0"]
    assert not passed["output and weights"]


def test_cell_that_does_not_run_costs_its_own_exercise_only(graded_class):
    column = graded_class.exercise("syntax-error", "column_attention")
    assert (column["score"], column["status"]) == (0, "graded")
    assert column["diagnosis"] == "the cell stopped with SyntaxError: invalid syntax in line 8"
    assert graded_class.results["syntax-error"]["score"] == 32


@pytest.mark.parametrize(
    ("student", "sentence"),
    [
        ("bad-cut-off", "its JSON breaks off or is damaged at line"),
        ("bad-empty", "the file is empty"),
        ("bad-encoding", "not UTF-8 text (byte 500"),
        ("bad-format-3", "saved in format 3"),
        ("bad-other-unit", "not the notebook of this unit"),
        ("bad-name", "01_cross_attention_shapes.ipynb is missing"),
    ],
)
def test_what_cannot_be_graded_is_said_in_a_sentence(graded_class, student, sentence):
    result = graded_class.results[student]
    assert (result["status"], result["score"]) == ("failed", None)
    assert sentence in result["problems"][0]
    shown = line(Result.from_json(result))
    assert student in shown
    assert sentence in shown


def test_deleted_cells_are_put_back_and_the_rest_is_graded(graded_class):
    result = graded_class.results["bad-deleted"]
    assert result["status"] == "attention"
    assert result["problems"] == [
        "the cell test_cross_attention was missing and has been put back",
        "the cell gram_attention was missing and has been put back",
    ]
    assert graded_class.exercise("bad-deleted", "cross_attention")["score"] == 5
    assert graded_class.exercise("bad-deleted", "gram_attention")["score"] == 0


def test_doubled_cell_costs_nothing(graded_class):
    result = graded_class.results["bad-doubled"]
    assert (result["status"], result["score"]) == ("attention", 36)
    assert "the cell cross_attention appeared 2 times" in result["problems"][0]


def test_endless_loop_costs_its_exercise(graded_class):
    gram = graded_class.exercise("hangs", "gram_attention")
    assert gram["score"] == 0
    assert gram["diagnosis"] == f"its code did not return within {graded_class.timeout} s: is there an endless loop?"
    assert graded_class.results["hangs"]["problems"] == [f"grading gram_attention: {gram['diagnosis']}"]
    assert graded_class.results["hangs"]["score"] == 36 - gram["points"]


def test_a_crash_costs_its_exercise(graded_class):
    result = graded_class.results["kills-kernel"]
    gram = graded_class.exercise("kills-kernel", "gram_attention")
    assert "ended the kernel" in gram["diagnosis"]
    assert (result["status"], result["score"]) == ("attention", 36 - gram["points"])


def test_grading_leaves_the_environment_as_it_was(graded_class):
    assert "NBGRADER_EXECUTION" not in os.environ


def test_exit_code_says_that_something_needs_attention(graded_class):
    assert graded_class.exit_code == 1


def test_unchanged_submissions_are_not_graded_again(graded_class, tmp_path, monkeypatch):
    copy, unit = ClassDirectory(tmp_path / "class"), graded_class.unit
    shutil.copytree(graded_class.directory.root, copy.root)
    graded = []

    def not_now(data, assignment, seed):
        graded.append(seed)
        raise Rejected("graded again")

    def in_threads(assignment):
        executor = ThreadPoolExecutor(1)
        return Workers(executor, 1, executor.shutdown)

    monkeypatch.setattr("autograder.grading.worker_pool.grade_here", not_now)
    same = {"limits": graded_class.limits, "workers": in_threads}
    again = {result.student: result for result in grade_class(copy, unit, **same)}
    rejected = [student for student, result in graded_class.results.items() if result["status"] == "failed"]
    assert {student for student, result in again.items() if result.status == "failed"} == set(rejected)
    for student in ("perfect", "no-scale", "bad-doubled"):
        assert json.loads(json.dumps(again[student].to_json())) == graded_class.results[student]
    path = copy.submission("perfect", unit)
    path.write_text(path.read_text("utf-8").replace("X @ X.T @ X", "X @ (X.T @ X)"), "utf-8")
    graded.clear()
    list(grade_class(copy, unit, **same))
    assert copy.seed("perfect", unit) in graded
    assert copy.seed("blank", unit) not in graded
    assert copy.seed("hangs", unit) not in graded
    list(grade_class(copy, unit, workers=in_threads))  # with more time, which may help who ran out of it
    assert copy.seed("hangs", unit) in graded
    assert copy.seed("blank", unit) not in graded
    list(grade_class(copy, unit, force=True, workers=in_threads))
    assert {copy.seed(student, unit) for student in ("perfect", "blank", "hangs")} <= set(graded)


def test_a_persons_grade_flows_into_results_and_exports(graded_class, tmp_path, course):
    copy = ClassDirectory(tmp_path / "class")
    shutil.copytree(graded_class.directory.root, copy.root)
    unit = graded_class.unit
    with copy.gradebook() as gradebook:
        grade = gradebook.find_grade(MANUAL, unit.notebook.stem, unit.full_name, "perfect")
        grade.manual_score, grade.needs_manual_grade = 3.5, False
        gradebook.db.commit()
    result = next(r for r in grade_class(copy, unit, limits=graded_class.limits) if r.student == "perfect")
    assert result.score == 39.5
    assert next(e for e in result.exercises if e.id == MANUAL).status == "graded"

    for form, student, score in (
        ("csv", "student_id", "01 Shapes of cross-attention (of 40)"),
        ("canvas", "SIS Login ID", "01 Shapes of cross-attention"),
        ("moodle", "ID number", "01 Shapes of cross-attention"),
    ):
        path = tmp_path / f"{form}.csv"
        code, printed = course("export", copy.root, "--to", form, "-o", path)
        assert code == 0, printed
        rows = {row[student]: row for row in csv.DictReader(path.read_text("utf-8").splitlines())}
        assert float(rows["perfect"][score]) == 39.5
        assert float(rows["no-scale"][score]) == graded_class.results["no-scale"]["score"]
        if form == "canvas":
            assert rows[""]["Student"] == "    Points Possible"
            assert float(rows[""][score]) == 40


def test_feedback_pages_explain_and_show_no_secret(graded_class, course):
    code, printed = course("feedback", graded_class.directory.root, "01")
    assert code == 0, printed
    folder, name = graded_class.directory.root / "feedback", graded_class.unit.full_name
    page = (folder / "no-scale" / name / f"{name}.html").read_text("utf-8")
    assert "Your weights equal attention without the 1/√d_k scale." in page
    assert "BEGIN SOLUTION" not in page
    repaired = folder / "bad-deleted" / name / f"{name}.html"
    assert "this notebook was repaired" in repaired.read_text("utf-8")
    assert not (folder / "bad-empty").exists()


def test_seed_is_the_students_own_and_lasting(graded_class):
    seeds = [result["seed"] for result in graded_class.results.values()]
    assert len(set(seeds)) == len(seeds)
    for student, result in graded_class.results.items():
        assert graded_class.directory.seed(student, graded_class.unit) == result["seed"]


def test_records_hold_what_was_printed(graded_class):
    record = graded_class.directory.root / "results" / graded_class.unit.full_name / "no-scale.json"
    saved = json.loads(record.read_text("utf-8"))
    assert len(saved["key"]) == 64
    assert saved["result"] == graded_class.results["no-scale"]
    assert saved["graded"]["seed"] == saved["result"]["seed"]
