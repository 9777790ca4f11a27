"""The exercises of every unit with their points, for the progress panel that students see."""

import json
from collections.abc import Mapping
from typing import Any

from nbformat import NotebookNode

from autograder.course.cells import exercise_of, named_cells, nbgrader_metadata
from autograder.course.hints import Guide, read_guides
from autograder.course.units import Unit
from autograder.errors import CourseError
from autograder.exam_types.exam import Exam
from course_lib.cards.exercise_index import ExerciseKind


def exercise_list(notebooks: Mapping[Unit, NotebookNode], kinds: Mapping[str, str], exams: Mapping[str, Exam]) -> str:
    """In the order of each notebook; an exercise without an exam, and so without a kind, is an explanation."""
    units = {
        unit.id: {"title": unit.title, "exercises": _exercises(notebook, kinds, exams)}
        for unit, notebook in notebooks.items()
    }
    return json.dumps(units, ensure_ascii=False, indent=1) + "\n"


def _exercises(notebook: NotebookNode, kinds: Mapping[str, str], exams: Mapping[str, Exam]) -> list[dict[str, Any]]:
    guides = read_guides(notebook)
    return [
        {
            "name": exercise_of(name),
            "points": nbgrader_metadata(cell)["points"],
            "kind": kinds.get(exercise_of(name), ExerciseKind.EXPLANATION),
            "hints": _hints(guides[exercise_of(name)], exams.get(exercise_of(name))),
        }
        for name, cell in named_cells(notebook)
        if nbgrader_metadata(cell).get("grade")
    ]


def _hints(guide: Guide, exam: Exam | None) -> list[str]:
    """The titles of an exercise's hints, in order; a CourseError if its exam names another."""
    titles = [guide.hints[number] for number in sorted(guide.hints)]
    for misconception in exam.misconceptions if exam else ():
        if misconception.hint is not None and misconception.hint not in titles:
            raise CourseError(
                f"the exam of {guide.exercise} names the hint {misconception.hint!r} for {misconception.slug!r}; "
                f"the hints in its notebook are {titles}"
            )
    return titles
