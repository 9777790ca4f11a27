"""Audit of the rebuilding: what editors and students do to a notebook's cells must not change what is graded."""

import ast
import copy
from collections.abc import Mapping

from nbformat import NotebookNode

from autograder.authoring.audit.audit import Tally
from autograder.authoring.audit.damages import Damage, damages
from autograder.course.cells import answer_cells, grade_id, is_answer, is_graded_code
from autograder.course.definitions import parse_cell
from autograder.course.notebooks import solution_notebook, student_notebook, write_notebook
from autograder.course.submitted_notebook import Rejected, read_notebook, rebuild
from autograder.course.units import Unit


def audit_editors(unit: Unit) -> Tally:
    """Rebuild the solved notebook of a unit after each kind of damage: the same answers must be graded.

    The examiner runs a rebuilt notebook and nothing else, so equal statements in equal order earn equal scores.
    """
    released = student_notebook(unit)
    solved = solved_notebook(unit, released)
    whole = _what_is_graded(rebuild(solved, released)[0])
    kinds, problems = damages(released), []
    for name, damage in kinds.items():
        try:
            graded = _what_is_graded(rebuild(damaged(solved, damage), released)[0])
        except Rejected as problem:
            problems.append(f"a notebook whose cells were {name} is refused: {problem}")
            continue
        changed = [exercise for exercise in whole if graded.get(exercise) != whole[exercise]]
        if changed:
            problems.append(f"in a notebook whose cells were {name}, other code is graded for {', '.join(changed)}")
    return Tally(len(kinds), tuple(problems))


def solved_notebook(unit: Unit, released: NotebookNode) -> NotebookNode:
    """A student's notebook with the course's own answers."""
    solved, answers = copy.deepcopy(released), answer_cells(solution_notebook(unit))
    for name, cell in answer_cells(solved).items():
        lines = answers[name].source.split("\n")
        cell.source = "\n".join(line for line in lines if "### BEGIN" not in line and "### END" not in line)
        if cell.cell_type == "markdown":
            cell.source = f"My answer to {name}, in words."
    return solved


def damaged(notebook: NotebookNode, damage: Damage) -> NotebookNode:
    """The notebook as grading reads it, after it was damaged and saved."""
    copied = copy.deepcopy(notebook)
    damage(copied)
    return read_notebook(write_notebook(copied).encode())


def _what_is_graded(notebook: NotebookNode) -> Mapping[str, object]:
    """By graded cell, the statements that run since the graded cell before; by written answer, its text."""
    graded: dict[str, object] = {}
    statements: list[str] = []
    for cell in notebook.cells:
        name = grade_id(cell) or ""
        if is_graded_code(cell):
            graded[name], statements = statements, []
        elif cell.cell_type == "code":
            tree = parse_cell(cell.source)
            statements += [ast.unparse(line) for line in tree.body if not _is_check(line)] if tree else [cell.source]
        elif is_answer(cell):
            graded[name] = cell.source.strip()
    return graded


def _is_check(statement: ast.stmt) -> bool:
    """Whether it is a visible check, which does nothing while a notebook is graded."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "check"
