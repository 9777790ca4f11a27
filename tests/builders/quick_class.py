"""A class that is graded in no time: its notebooks say themselves what an examiner would find."""

import hashlib
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime

from autograder.course.cells import grade_id, is_answer
from autograder.course.notebooks import student_notebook, write_notebook
from autograder.course.submitted_notebook import read_notebook
from autograder.exam_types.verdict import CriterionResult, Verdict
from autograder.examiner.graded import Graded
from autograder.exams import UNITS
from autograder.grading.dry_run import preview_class
from autograder.grading.grade_class import grade_class
from autograder.grading.worker_pool import Workers
from builders.submissions import put_submission


def hand_in(directory, unit, student, *, misses=(), words="A sentence.", when=None, **metadata):
    """Put a submission in place that misses the first criterion of the exercises named."""
    notebook = student_notebook(unit)
    notebook.metadata["quick"] = {"misses": list(misses), **metadata}
    for cell in notebook.cells:
        if is_answer(cell):
            cell.source = words if cell.cell_type == "markdown" else f"answer = {grade_id(cell) in misses}"
    put_submission(directory, unit, student, notebook, when or datetime(2026, 1, 5, 12))


def quick_grading(data, assignment, seed, strict=()):
    """In place of the real thing; exercises in `strict` are examined by an exam with which nobody passes anything."""
    notebook = read_notebook(data)
    quick = notebook.metadata["quick"]
    verdicts = {}
    for exam in UNITS[assignment.unit.id]:
        missed = range(len(exam.criteria)) if exam.exercise in strict else range(int(exam.exercise in quick["misses"]))
        results = (
            CriterionResult(c.name, c.points, 0.0, "It is wrong.", f"Look at {exam.exercise}.")
            if place in missed
            else CriterionResult(c.name, c.points, c.points)
            for place, c in enumerate(exam.criteria)
        )
        verdicts[f"test_{exam.exercise}"] = Verdict(exam.exercise, exam.points, tuple(results))
    answers = {grade_id(c): hashlib.sha256(c.source.encode()).hexdigest() for c in notebook.cells if is_answer(c)}
    return Graded(
        write_notebook(notebook),
        verdicts,
        dict.fromkeys(answers, True),
        repairs=[],
        problems=[],
        seconds=0.0,
        seed=seed,
        timed_out=quick.get("seconds", 0.0) > assignment.limits.cell,
        answers=answers,
    )


def threads(assignment):
    executor = ThreadPoolExecutor(2)
    return Workers(executor, 2, lambda: executor.shutdown(cancel_futures=True))


def grade(directory, unit, **options):
    """The result of each student."""
    run = grade_class(directory, unit, sandbox="none", workers=threads, **options)
    return {result.student: result for result in run}


def preview(directory, unit, **options):
    """The change of each student."""
    run = preview_class(directory, unit, sandbox="none", workers=threads, **options)
    return {change.student: change for change in run}
