"""The exams' banks of wrong and accepted answers as source code, with the helpers and imports that each needs."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from autograder.course.units import ROOT, Unit
from autograder.demo.partial_evaluation import specialized
from autograder.exam_types import ChooseExam
from autograder.exams import UNITS

FOLDER = ROOT / "autograder" / "exams"
OURS = ("autograder", "course_lib")


@dataclass(frozen=True)
class BankAnswer:
    """`says` is the misconception's sentence to the student; empty for a right answer."""

    exercise: str
    source: str
    says: str = ""


class _NotForStudents(Exception):
    """The answer uses code of the course, which students do not have."""


@cache
def bank_answers(unit: Unit) -> tuple[BankAnswer, ...]:
    """Every answer of the unit's banks, without those that call the reference or other code of the course."""
    modules = [_Module(path) for path in sorted((FOLDER / f"unit_{unit.id}").glob("*.py"))]
    return (*(answer for module in modules for answer in module.answers()), *_misjudged(unit))


def _misjudged(unit: Unit) -> Iterator[BankAnswer]:
    """For each letter of a choice exercise, the answer that judges only this letter wrongly."""
    for exam in UNITS[unit.id]:
        if isinstance(exam, ChooseExam):
            for letter, option in exam.options.items():
                chosen = "".join(sorted(set(exam.reference) ^ {letter}))
                yield BankAnswer(exam.exercise, f'{exam.exercise} = "{chosen}"', option.reason)


class _Module:
    """The syntax tree of a module of exams."""

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
            for misconception in getattr(parts.get("misconceptions"), "elts", ()):
                match misconception:
                    case ast.Call(args=[_, ast.Constant(value=str() as sentence), answer, *_]):
                        yield from self._answer(exercise, answer, sentence)
            for accepted in getattr(parts.get("accepted"), "elts", ()):
                yield from self._answer(exercise, accepted, "")

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
            options, named = {k.arg: k.value for k in named.keywords if k.arg}, named.args[0]
        definition = self._defined.get(named.id) if isinstance(named, ast.Name) else None
        if isinstance(definition, ast.FunctionDef):
            function = specialized(definition, options)
            return _function(name, function.args, function.body)
        if options:
            raise _NotForStudents
        if isinstance(definition, ast.ClassDef):
            return ast.parse(re.sub(rf"\b{definition.name}\b", name, ast.unparse(definition))).body[0]
        return ast.parse(f"{name} = {ast.unparse(expression)}").body[0]

    def _needed(self, statement: ast.stmt) -> list[ast.stmt]:
        """The statements of the module that a statement depends on, in the module's order."""
        waiting, needed = [statement], set()
        while waiting:
            current = waiting.pop()
            names = {node.id for node in ast.walk(current) if isinstance(node, ast.Name)}
            for name in names - set(_defines(current)):
                definition = self._defined.get(name)
                if definition is None or definition in needed:
                    continue
                if isinstance(definition, ast.Import | ast.ImportFrom) and _is_ours(definition):
                    raise _NotForStudents
                needed.add(definition)
                waiting.append(definition)
        return [statement for statement in self._body if statement in needed]


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
    function = ast.FunctionDef(name, arguments, body, decorator_list=[])
    return ast.fix_missing_locations(function)


def _plain(statement: ast.stmt) -> ast.stmt:
    """Remove annotations and docstrings, which beginners do not write."""
    for node in ast.walk(statement):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node) and len(node.body) > 1:
            del node.body[0]
        if isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, ast.FunctionDef):
            node.returns = None
    return statement
