"""Where the time of one submission goes: a class graded in this process, with a clock at each door."""

import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Executor, Future
from contextlib import ExitStack
from functools import wraps
from unittest.mock import patch

from autograder.classroom.directory import ClassDirectory
from autograder.course.units import Unit
from autograder.examiner import grade_submission
from autograder.examiner.assignment import Assignment
from autograder.examiner.session import Session
from autograder.gradebook.writer import GradebookWriter
from autograder.grading import grade_class, worker_pool
from autograder.grading.worker_pool import Workers
from autograder.sandbox.zygote_pool import zygote

DOORS = (
    (grade_submission, "new_kernel", "kernels: start and end"),
    (Session, "close", "kernels: start and end"),
    (Session, "run", "student's cells"),
    (Session, "_request", "student's functions, called by exams"),
    (GradebookWriter, "record", "nbgrader's gradebook and files"),
    (grade_class, "read_result", "nbgrader's gradebook and files"),
    (worker_pool, "grade_here", "examiner: reading, comparing, writing the notebook"),
)


class OneAtATime(Executor):
    """Runs what it is given at once, here."""

    def submit(self, function: Callable, /, *args: object) -> Future:
        future: Future = Future()
        try:
            future.set_result(function(*args))
        except Exception as error:
            future.set_exception(error)
        return future


def shares(directory: ClassDirectory, unit: Unit) -> dict[str, float]:
    """Seconds for one submission behind each door; what happens behind an inner one does not count for the outer."""
    spent: Counter[str] = Counter()
    inner: list[float] = [0.0]  # for each open door, the seconds behind doors further in

    def clocked(function: Callable, label: str) -> Callable:
        @wraps(function)
        def through(*args: object, **options: object) -> object:
            start = time.perf_counter()
            inner.append(0.0)
            try:
                return function(*args, **options)
            finally:
                seconds = time.perf_counter() - start
                spent[label] += seconds - inner.pop()
                inner[-1] += seconds

        return through

    def here(assignment: Assignment) -> Workers:
        return Workers(OneAtATime(), 1, lambda: None)

    students = directory.students(unit)
    zygote(unit, "bwrap").wait_until_warm()  # once for a class of any size
    with ExitStack() as stack:
        for owner, name, label in DOORS:
            stack.enter_context(patch.object(owner, name, clocked(getattr(owner, name), label)))
        for _ in grade_class.grade_class(directory, unit, workers=here, force=True):
            continue
    return {label: seconds / len(students) for label, seconds in spent.most_common()}
