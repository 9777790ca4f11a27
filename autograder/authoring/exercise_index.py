"""The exercises of every unit with their points, for the progress panel that students see."""

import json
from collections.abc import Mapping

from nbformat import NotebookNode

from autograder.course.hints import Guide, read_guides
from autograder.course.submitted_notebook import grade_id, nbgrader_metadata
from autograder.course.units import Unit
from autograder.errors import CourseError
from autograder.exam_types.exam import Exam


def exercise_list(notebooks: Mapping[Unit, NotebookNode], kinds: Mapping[str, str], exams: Mapping[str, Exam]) -> str:
    """In the order of each notebook; an exercise whose kind is not known is explained to a person."""
    units = {
        unit.id: {"title": unit.title, "exercises": _exercises(notebook, kinds, exams)}
        for unit, notebook in notebooks.items()
    }
    return json.dumps(units, ensure_ascii=False, indent=1) + "\n"


def _exercises(notebook: NotebookNode, kinds: Mapping[str, str], exams: Mapping[str, Exam]) -> list[dict]:
    guides = read_guides(notebook)
    graded = [cell for cell in notebook.cells if nbgrader_metadata(cell).get("grade")]
    names = [(grade_id(cell).removeprefix("test_"), nbgrader_metadata(cell)["points"]) for cell in graded]
    return [
        {
            "name": name,
            "points": points,
            "kind": kinds.get(name, "explain"),
            "hints": _hints(guides[name], exams.get(name)),
        }
        for name, points in names
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
