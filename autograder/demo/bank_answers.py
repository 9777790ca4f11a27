"""The banks of the exams as students would write them: answers as text, with the helpers and imports they need."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from autograder.course.units import ROOT, Unit
from autograder.demo.specialise import specialised
from autograder.exam_types import ChooseExam
from autograder.exams import UNITS

FOLDER = ROOT / "autograder" / "exams"
OURS = ("autograder", "course_lib")


@dataclass(frozen=True)
class BankAnswer:
    """`says` is the sentence for whoever gives this wrong answer, and empty for a right one."""

    exercise: str
    source: str
    says: str = ""


class _NotForStudents(Exception):
    """The answer needs something that only the course has."""


@cache
def bank_answers(unit: Unit) -> tuple[BankAnswer, ...]:
    """Every answer of the unit's banks that stands on its own; one that leans on the reference is left out."""
    modules = [_Module(path) for path in sorted((FOLDER / f"unit_{unit.id}").glob("*.py"))]
    return (*(answer for module in modules for answer in module.answers()), *_misjudged(unit))


def _misjudged(unit: Unit) -> Iterator[BankAnswer]:
    """For each statement of a choice, the answer that is right but for this one."""
    for exam in UNITS[unit.id]:
        if isinstance(exam, ChooseExam):
            for letter, option in exam.options.items():
                chosen = "".join(sorted(set(exam.reference) ^ {letter}))
                yield BankAnswer(exam.exercise, f'{exam.exercise} = "{chosen}"', option.reason)


class _Module:
    """One module of exams, as a syntax tree."""

    def __init__(self, path: Path):
        self._body = [_plain(statement) for statement in ast.parse(path.read_text("utf-8")).body]
        self._defined: dict[str, ast.stmt] = {}
        for statement in self._body:
            for name in _defines(statement):
                self._defined[name] = statement

    def answers(self) -> Iterator[BankAnswer]:
        for statement in self._body:
            call = statement.value if isinstance(statement, ast.Assign) else None
            parts = {k.arg: k.value for k in call.keywords} if isinstance(call, ast.Call) else {}
            exercise = getattr(parts.get("exercise"), "value", None)
            if exercise is None:
                continue
            for one in getattr(parts.get("misconceptions"), "elts", ()):
                if isinstance(one, ast.Call) and len(one.args) >= 3 and isinstance(one.args[1], ast.Constant):
                    yield from self._answer(exercise, one.args[2], one.args[1].value)
            for one in getattr(parts.get("accepted"), "elts", ()):
                yield from self._answer(exercise, one, "")

    def _answer(self, exercise: str, expression: ast.expr, says: str) -> Iterator[BankAnswer]:
        try:
            written = self._written(exercise, expression)
            needed = [*self._needed(written), written]
        except (_NotForStudents, ValueError):
            return
        imports = [ast.unparse(s) for s in needed if isinstance(s, ast.Import | ast.ImportFrom)]
        rest = [ast.unparse(s) for s in needed if not isinstance(s, ast.Import | ast.ImportFrom)]
        yield BankAnswer(exercise, "\n\n\n".join([*(["\n".join(imports)] if imports else []), *rest]), says)

    def _written(self, name: str, expression: ast.expr) -> ast.stmt:
        """The answer as a statement that defines the name."""
        if isinstance(expression, ast.Lambda):
            return _function(name, expression.args, [ast.Return(expression.body)])
        options: dict[str, ast.expr] = {}
        named = expression
        if isinstance(named, ast.Call) and isinstance(named.func, ast.Name) and named.func.id == "partial":
            if len(named.args) != 1:
                raise _NotForStudents
            options, named = {k.arg: k.value for k in named.keywords}, named.args[0]
        there = self._defined.get(named.id) if isinstance(named, ast.Name) else None
        if isinstance(there, ast.FunctionDef):
            function = specialised(there, options)
            return _function(name, function.args, function.body)
        if options:
            raise _NotForStudents
        if isinstance(there, ast.ClassDef):
            return ast.parse(re.sub(rf"\b{there.name}\b", name, ast.unparse(there))).body[0]
        return ast.parse(f"{name} = {ast.unparse(expression)}").body[0]

    def _needed(self, statement: ast.stmt) -> list[ast.stmt]:
        """What a statement needs from the module, in the module's order."""
        waiting, needed = [statement], set()
        while waiting:
            here = waiting.pop()
            for name in {node.id for node in ast.walk(here) if isinstance(node, ast.Name)} - set(_defines(here)):
                there = self._defined.get(name)
                if there is None or there in needed:
                    continue
                if isinstance(there, ast.Import | ast.ImportFrom) and _is_ours(there):
                    raise _NotForStudents
                needed.add(there)
                waiting.append(there)
        return [one for one in self._body if one in needed]


def _defines(statement: ast.stmt) -> list[str]:
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return [alias.asname or alias.name.partition(".")[0] for alias in statement.names]
    if isinstance(statement, ast.Assign):
        return [node.id for t in statement.targets for node in ast.walk(t) if isinstance(node, ast.Name)]
    return [statement.name] if isinstance(statement, ast.FunctionDef | ast.ClassDef) else []


def _is_ours(statement: ast.Import | ast.ImportFrom) -> bool:
    names = [statement.module or ""] if isinstance(statement, ast.ImportFrom) else [a.name for a in statement.names]
    return any(name.partition(".")[0] in OURS for name in names)


def _function(name: str, arguments: ast.arguments, body: list[ast.stmt]) -> ast.FunctionDef:
    function = ast.parse("def answer(): pass").body[0]
    function.name, function.args, function.body = name, arguments, body
    return ast.fix_missing_locations(function)


def _plain(statement: ast.stmt) -> ast.stmt:
    """Without annotations and docstrings, as beginners write it."""
    for node in ast.walk(statement):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node) and len(node.body) > 1:
            del node.body[0]
        if isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, ast.FunctionDef):
            node.returns = None
    return statement
