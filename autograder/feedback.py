"""Feedback: one HTML page for each graded submission, by nbgrader's own converter."""

from pathlib import Path

from nbgrader.converters import GenerateFeedback
from nbgrader.converters.base import NbGraderException

from autograder.class_directory import ClassDirectory
from autograder.course import Unit
from autograder.errors import CourseError


def write_feedback(directory: ClassDirectory, unit: Unit) -> list[Path]:
    """Write the pages anew and return them."""
    if not list(directory.root.glob(f"autograded/*/{unit.full_name}")):
        raise CourseError(
            f"nothing is graded yet for unit {unit.id}: run `course grade {directory.root} {unit.id}` first"
        )
    coursedir = directory.coursedir()
    coursedir.assignment_id = unit.full_name
    try:
        GenerateFeedback(coursedir=coursedir, config=directory.config(), force=True).start()
    except NbGraderException as error:
        graded, written = (
            {path.parts[-2] for path in directory.root.glob(f"{step}/*/{unit.full_name}")}
            for step in ("autograded", "feedback")
        )
        raise CourseError(
            f"nbgrader could not write the feedback of unit {unit.id} for {', '.join(sorted(graded - written))}; "
            "what it said is above, and the other pages are written"
        ) from error
    return sorted(directory.root.glob(f"feedback/*/{unit.full_name}/*.html"))
