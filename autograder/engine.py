"""The engine that runs one submission: nbgrader's own converter. Everything else knows it only by `run_submission`."""

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager

from nbgrader.converters import Autograde
from nbgrader.converters.base import NbGraderException

from autograder.class_directory import ClassDirectory
from autograder.course import Unit

LOG = "grading.log"
EXPLANATIONS = {
    "DeadKernelError": "the notebook ended its own kernel: does a cell exit the process or use up the memory?",
    "UnresponsiveKernelError": "the kernel hung and could not be interrupted: is there an endless loop?",
}


class EngineError(Exception):
    """Why a submission could not be run, in a sentence for the instructor."""


def run_submission(directory: ClassDirectory, unit: Unit, student: str, seed: str, timeout: int | None = None) -> None:
    """Run a submission and record its grades in the gradebook and its notebook in autograded/."""
    config = directory.config()
    if timeout is not None:
        config.Execute.timeout = timeout
    coursedir = directory.coursedir()
    coursedir.assignment_id, coursedir.student_id = unit.full_name, student
    with _logging_to(directory) as errors, _environment_restored():
        os.environ["COURSE_SEED"] = seed
        try:
            Autograde(coursedir=coursedir, config=config, force=True).start()
        except NbGraderException as error:
            raise EngineError(_explain(errors, str(error))) from error


def _explain(errors: list[str], fallback: str) -> str:
    """The exception that nbgrader logged, in words where there are any."""
    lines = [error.strip().splitlines()[-1] for error in errors if error.startswith("Traceback")]
    last = lines[-1] if lines else fallback
    return next((text for name, text in EXPLANATIONS.items() if name in last), f"{last} (see {LOG})")


@contextmanager
def _environment_restored() -> Iterator[None]:
    """nbgrader leaves variables of its own behind when a submission fails."""
    before = dict(os.environ)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


@contextmanager
def _logging_to(directory: ClassDirectory) -> Iterator[list[str]]:
    """Send nbgrader's log to a file of the class, and collect the errors."""
    errors: list[str] = []
    collect = logging.Handler(logging.ERROR)
    collect.emit = lambda record: errors.append(record.getMessage())
    write = logging.FileHandler(directory.root / LOG, encoding="utf-8")
    write.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    logger = logging.getLogger("traitlets")
    level, logger.propagate = logger.level, False
    logger.setLevel(logging.INFO)
    for handler in (collect, write):
        logger.addHandler(handler)
    try:
        yield errors
    finally:
        for handler in (collect, write):
            logger.removeHandler(handler)
        write.close()
        logger.setLevel(level)
        logger.propagate = True
