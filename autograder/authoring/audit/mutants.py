"""Mutants of a function: its source with one small change, such as another sign, axis or constant, or no line."""

import ast
import copy
import inspect
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from autograder.authoring.audit.mutation_operators import alternatives
from autograder.errors import CourseError


@dataclass(frozen=True)
class Mutant:
    """`description` counts lines from the first one of the function."""

    description: str
    source: str


def build(function: Callable[..., object], source: str) -> Callable[..., object]:
    """Compile a mutant's source with the globals of the original."""
    original = inspect.unwrap(function)
    namespace: dict[str, Any] = dict(_names(original))
    exec(compile(source, "<mutant>", "exec"), namespace)
    return namespace[original.__name__]


def unchanged(function: Callable) -> str:
    """The source without annotations, from which every mutant differs in one place."""
    return ast.unparse(_reference_tree(function))


def mutants(function: Callable) -> list[Mutant]:
    """Every mutant once: changes that give the source of the original or of another mutant are left out."""
    tree = _reference_tree(function)
    names = _names(inspect.unwrap(function))
    description_of: dict[str, str] = {}
    original = ast.unparse(tree)
    for node, ancestors in _walk(tree):
        for other in alternatives(node, ancestors[0], names):
            source = ast.unparse(_replaced(tree, node, other))
            if source != original and source not in description_of:
                description_of[source] = _describe(node, other, ancestors, set(description_of.values()))
    return [Mutant(description, source) for source, description in description_of.items()]


def _reference_tree(function: Callable) -> ast.FunctionDef | ast.ClassDef:
    """The function without annotations, so that jaxtyping's checks do not reject a mutant before the exam does."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(inspect.unwrap(function)))).body[0]
    except (OSError, TypeError, SyntaxError):
        tree = None
    if not isinstance(tree, ast.FunctionDef | ast.ClassDef):
        raise CourseError(f"the source of {function!r} cannot be read: write the reference with `def` in a module")
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, ast.FunctionDef):
            node.returns = None
    return tree


def _names(original: Callable) -> dict[str, object]:
    return getattr(original, "__globals__", None) or vars(inspect.getmodule(original))


def _walk(
    tree: ast.AST, ancestors: tuple[ast.AST, ...] = ()
) -> Iterator[tuple[ast.expr | ast.stmt, tuple[ast.AST, ...]]]:
    """Each expression and statement below, with its ancestors, nearest first."""
    ancestors = (tree, *ancestors)
    for node in ast.iter_child_nodes(tree):
        if not _is_refusal(node):
            if isinstance(node, ast.expr | ast.stmt):
                yield node, ancestors
            yield from _walk(node, ancestors)


def _is_refusal(node: ast.AST) -> bool:
    """Whether the code only rejects misuse, which no exam tests: exercises promise valid arguments."""
    if isinstance(node, ast.If):
        return not node.orelse and all(isinstance(line, ast.Raise) for line in node.body)
    return isinstance(node, ast.Raise | ast.JoinedStr)


def _replaced(tree: ast.AST, node: ast.AST, other: ast.AST) -> ast.AST:
    return copy.deepcopy(tree, {id(node): other})  # the memo makes `other` the copy of `node`


def _describe(node: ast.expr | ast.stmt, other: ast.AST, ancestors: tuple[ast.AST, ...], taken: set[str]) -> str:
    """The change within the smallest expression that makes the description unique; a bare constant says too little."""
    line = node.lineno
    for around in (node, *ancestors[:-1]):
        bare = isinstance(around, ast.Constant | ast.UnaryOp) or not isinstance(around, ast.expr | ast.stmt)
        text = f"line {line}: `{_first_line(around)}` → `{_first_line(_replaced(around, node, other))}`"
        if not bare and text not in taken:
            break
    return text


def _first_line(node: ast.AST) -> str:
    first, *more = ast.unparse(node).splitlines()
    return f"{first} …" if more else first
