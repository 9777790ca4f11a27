"""The exercises of every unit with their points, for the progress panel that students see."""

import json
from collections.abc import Mapping

from nbformat import NotebookNode

from autograder.course.submitted_notebook import grade_id, nbgrader_metadata
from autograder.course.units import Unit


def exercise_list(notebooks: Mapping[Unit, NotebookNode], kinds: Mapping[str, str]) -> str:
    """In the order of each notebook; an exercise whose kind is not known is explained to a person."""
    units = {
        unit.id: {"title": unit.title, "exercises": _exercises(notebook, kinds)} for unit, notebook in notebooks.items()
    }
    return json.dumps(units, ensure_ascii=False, indent=1) + "\n"


def _exercises(notebook: NotebookNode, kinds: Mapping[str, str]) -> list[dict]:
    graded = [cell for cell in notebook.cells if nbgrader_metadata(cell).get("grade")]
    names = [(grade_id(cell).removeprefix("test_"), nbgrader_metadata(cell)["points"]) for cell in graded]
    return [{"name": name, "points": points, "kind": kinds.get(name, "explain")} for name, points in names]
