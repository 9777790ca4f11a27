"""The demo class: about forty submissions to three units, from stories and from the exams' banks of answers."""

import ast
import os
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from random import Random

import nbformat
from nbformat import NotebookNode

from autograder.classroom.collect import collect
from autograder.classroom.directory import ClassDirectory, init_class
from autograder.classroom.release import release_unit
from autograder.course.cells import answer_cells
from autograder.course.notebooks import student_notebook, write_notebook
from autograder.course.units import Unit, find_unit
from autograder.demo.bank_answers import BankAnswer, bank_answers
from autograder.demo.stories import fill_in, right_answers, submissions
from autograder.examiner.assignment import Limits

LIMITS = Limits(cell=10, call=3)
STUDENTS = tuple(f"student-{number:02}" for number in range(1, 13))
# who submits which unit, besides the stories; near-copy renames the variables of the first student's answers
HANDED_IN = {"00": STUDENTS[:10], "01": (*STUDENTS[:5], "near-copy"), "02": (*STUDENTS[:10], "near-copy")}
OTHER_STYLES = 3
PROSE = (
    "Entry (i, j) of A says how strongly token i listens to token j, and every row sums to 1.\n\n"
    "A is computed from X, so a new sentence has a new A although W_q and W_k stay. A linear layer treats every token "
    "alike and alone; here tokens are mixed.",
    "A holds the attention. It is data-dependent because it depends on the data.",
    "A[i, j] is the weight of value j in output i. The weights are made of queries and keys, and those of X. So X "
    "stands twice in A(X) X W_v, and doubling X does not double the output: it is not linear, as exercise 7 shows.",
)
# the score and the comment of an instructor for each of these texts
READ = (
    (3.5, "Very clear. What is still missing: that the whole is not linear in X, as your own exercise 7 shows."),
    (1.0, "True, but say how: from which tensors is A computed, and what is fixed after training?"),
    (4.0, "Exactly. I will quote your last sentence in the lecture."),
)


def make_class(root: Path) -> tuple[ClassDirectory, list[Unit]]:
    """A class directory with the units released, due yesterday, and every student's file collected."""
    due = datetime.now().astimezone() - timedelta(days=1)
    directory = init_class(root / "class")
    units = [find_unit(name) for name in HANDED_IN]
    for unit in units:
        release_unit(directory, unit, due)
        inbox = root / "inbox" / unit.id
        inbox.mkdir(parents=True)
        for student, notebook, hours_late in handed_in(unit):
            path = inbox / f"{student}_{unit.notebook.name}"
            path.write_text(write_notebook(notebook), "utf-8")
            moment = (due + timedelta(hours=hours_late)).timestamp()
            os.utime(path, (moment, moment))
        collect(directory, unit, [inbox])
    return directory, units


def handed_in(unit: Unit) -> Iterator[tuple[str, NotebookNode, float]]:
    """Each student with the notebook handed in and the hours after the due date, negative if before."""
    if unit.id == "01":
        for story, notebook in submissions(unit):
            yield story.student, notebook, story.hours_late
    students, released = HANDED_IN[unit.id], student_notebook(unit)
    for number, student in enumerate(students):
        copied = student == "near-copy"
        answers = drawn_answers(unit, students[0] if copied else student)
        if copied:
            answers = {name: renamed(source) for name, source in answers.items()}
        notebook = fill_in(released, answers)
        yield student, _with_prose(notebook, PROSE[number]) if number < len(PROSE) else notebook, -30.0 + number


def drawn_answers(unit: Unit, student: str) -> dict[str, str]:
    """The course's answers, some replaced from the banks: by accepted answers, and by one to three mistakes."""
    random = Random(f"{unit.id} {student}")
    answers, bank = dict(_right_answers(unit)), bank_answers(unit)
    right, wrong = _by_exercise(bank, wrong=False), _by_exercise(bank, wrong=True)
    for exercise in random.sample(sorted(right), min(OTHER_STYLES, len(right))):
        answers[exercise] = random.choice(right[exercise]).source
    for exercise in random.sample(sorted(wrong), random.randint(1, min(3, len(wrong)))):
        # A bank lists common mistakes first, so favor small indices.
        mistakes = wrong[exercise]
        answers[exercise] = mistakes[min(random.randrange(len(mistakes)) for _ in range(3))].source
    return answers


def renamed(source: str) -> str:
    """The same code with its variables renamed; code that does not parse stays."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return source
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    names = [node for function in functions for node in ast.walk(function) if isinstance(node, ast.Name)]
    others = {node.id: f"my_{node.id.lower()}" for node in names if isinstance(node.ctx, ast.Store)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            node.id = others.get(node.id, node.id)
    return ast.unparse(tree) if others else source


def grade_by_hand(directory: ClassDirectory, unit: Unit) -> int:
    """Grade some of the written answers, as an instructor does in the formgrader; returns how many."""
    count = 0
    with directory.gradebook() as gradebook:
        for number, student in enumerate(HANDED_IN[unit.id][: len(READ)]):
            notebook = gradebook.find_submission_notebook(unit.notebook.stem, unit.full_name, student)
            for grade in notebook.grades:
                if grade.cell.name in unit.explains:
                    grade.manual_score, grade.needs_manual_grade = READ[number][0], False
                    count += 1
            for comment in notebook.comments:
                if comment.cell.name in unit.explains:
                    comment.manual_comment = READ[number][1]
        gradebook.db.commit()
    return count


_right_answers = cache(right_answers)


def _with_prose(notebook: NotebookNode, prose: str) -> NotebookNode:
    notebook = nbformat.from_dict(notebook)
    for cell in answer_cells(notebook).values():
        if cell.cell_type == "markdown":
            cell.source = prose
    return notebook


def _by_exercise(bank: tuple[BankAnswer, ...], wrong: bool) -> Mapping[str, list[BankAnswer]]:
    answers: dict[str, list[BankAnswer]] = {}
    for answer in bank:
        if bool(answer.says) is wrong:
            answers.setdefault(answer.exercise, []).append(answer)
    return answers
