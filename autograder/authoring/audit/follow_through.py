"""Audit of follow-through marking: a mistake in an earlier answer must not cost a later exercise that calls it."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from nbformat import NotebookNode

from autograder.authoring.audit.audit import Tally
from autograder.authoring.audit.editors import solved_notebook
from autograder.course.cells import TEST_PREFIX, answer_cells, grade_id, is_answer, is_graded_code
from autograder.course.dependencies import cells_needed, earlier_answers_used
from autograder.course.notebooks import solution_notebook, student_notebook
from autograder.course.units import Unit
from autograder.exam_types import CodeExam, ModuleExam
from autograder.exam_types.verdict import Verdict
from autograder.examiner.assignment import limits_of
from autograder.examiner.sealed_grading import grade_notebook
from autograder.exams import find_exam
from autograder.sandbox.zygote_pool import new_kernel

WRONG = """

def _spoiled(value):
    if isinstance(value, tuple):
        return tuple(map(_spoiled, value))
    return ~value if value.dtype == torch.bool else value + 1
"""
WRONG_FUNCTION = """
_right_{name} = {name}

def {name}(*arguments, **options):
    return _spoiled(_right_{name}(*arguments, **options))
"""
WRONG_CLASS = """
class {name}({name}):
    def forward(self, *arguments, **options):
        return _spoiled(super().forward(*arguments, **options))
"""
Spoil = Callable[[str, str, str], str]


def blank(name: str, source: str, stub: str) -> str:
    return stub


def wrong(name: str, source: str, stub: str) -> str:
    return source + WRONG + (WRONG_CLASS if f"class {name}" in source else WRONG_FUNCTION).format(name=name)


def unparsable(name: str, source: str, stub: str) -> str:
    return f"{source}\n)"


SPOILS: Mapping[str, Spoil] = {"blank": blank, "wrong": wrong, "with a syntax error": unparsable}


def audit_follow_through(unit: Unit) -> Tally:
    """Grade each exercise that calls an earlier answer, with that one spoiled in each way; once it is wrong itself."""
    notebook = solution_notebook(unit)
    problems = []
    trials = list(_trials(notebook))
    for exercise, earlier, how in trials:
        verdict = _verdict(unit, exercise, {earlier: SPOILS[how]})
        if verdict.score < verdict.points:
            problems.append(f"{exercise} loses points when {earlier} is {how}: {verdict.diagnosis}")
        elif how != "wrong" and earlier not in verdict.stand_ins:
            problems.append(f"{exercise} does not say that it was graded with our {earlier}")
    both = [(exercise, earlier) for exercise, earlier, how in trials if how == "blank"]
    for exercise, earlier in both:
        verdict = _verdict(unit, exercise, {earlier: blank, exercise: wrong})
        if verdict.score >= verdict.points:
            problems.append(f"a wrong {exercise} loses no points when {earlier} is blank")
    return Tally(len(trials) + len(both), tuple(problems))


def _trials(notebook: NotebookNode) -> Iterator[tuple[str, str, str]]:
    """Each exercise that calls an earlier answer, with that one and how it is spoiled.

    Measurements are left out: they train models, which would take minutes.
    """
    code = [name for name in answer_cells(notebook) if isinstance(find_exam(name), CodeExam | ModuleExam)]
    for exercise in code:
        for earlier in earlier_answers_used(notebook, exercise):
            if earlier in code:
                yield from ((exercise, earlier, how) for how in SPOILS)


def _verdict(unit: Unit, exercise: str, spoils: Mapping[str, Spoil]) -> Verdict:
    """The verdict on the exercise in a notebook of only those cells that it needs."""
    released = student_notebook(unit)
    notebook, stubs = solved_notebook(unit, released), answer_cells(released)
    needed = cells_needed(notebook, exercise)
    graded = {TEST_PREFIX + str(grade_id(cell)) for cell in needed if is_answer(cell)}
    tests = {grade_id(cell): cell.source for cell in solution_notebook(unit).cells if is_graded_code(cell)}
    notebook.cells = [cell for cell in notebook.cells if cell in needed or grade_id(cell) in graded]
    for cell in notebook.cells:
        name = str(grade_id(cell))
        cell.source = tests.get(name, cell.source)
        if name in spoils:
            cell.source = spoils[name](name, cell.source, stubs[name].source)
    kernels = partial(new_kernel, unit, "none")  # the course's own answers need no sandbox
    sealed = grade_notebook(notebook, "audit", kernels, limits_of(unit))
    return sealed.verdicts[TEST_PREFIX + exercise]
