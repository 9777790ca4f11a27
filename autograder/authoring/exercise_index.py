"""The exercises of every unit with their points, for the progress panel that students see."""

import json
from collections.abc import Mapping
from typing import Any

from nbformat import NotebookNode

from autograder.course.cells import exercise_of, named_cells, nbgrader_metadata
from autograder.course.units import Unit
from course_lib.cards.exercise_index import ExerciseKind


def exercise_list(notebooks: Mapping[Unit, NotebookNode], kinds: Mapping[str, str]) -> str:
    """In the order of each notebook; an exercise without an exam, and so without a kind, is an explanation."""
    units = {
        unit.id: {"title": unit.title, "exercises": _exercises(notebook, kinds)} for unit, notebook in notebooks.items()
    }
    return json.dumps(units, ensure_ascii=False, indent=1) + "\n"


def _exercises(notebook: NotebookNode, kinds: Mapping[str, str]) -> list[dict[str, Any]]:
    return [
        {
            "name": exercise_of(name),
            "points": nbgrader_metadata(cell)["points"],
            "kind": kinds.get(exercise_of(name), ExerciseKind.EXPLANATION),
        }
        for name, cell in named_cells(notebook)
        if nbgrader_metadata(cell).get("grade")
    ]
