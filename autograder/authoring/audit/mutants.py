"""Mutants of a function: its source with one small change, such as another sign, axis or constant, or a line less."""

import ast
import copy
import inspect
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from autograder.authoring.audit.mutation_operators import alternatives
from autograder.errors import CourseError


@dataclass(frozen=True)
class Mutant:
    """`description` counts lines from the first one of the function."""

    description: str
    source: str


def build(function: Callable, source: str) -> Callable:
    """The function of this source, among the names that the original sees."""
    original = inspect.unwrap(function)
    namespace = dict(_names(original))
    exec(compile(source, "<mutant>", "exec"), namespace)
    return namespace[original.__name__]


def unchanged(function: Callable) -> str:
    """The source that every mutant differs from in one place."""
    return ast.unparse(_reference_tree(function))


def mutants(function: Callable) -> list[Mutant]:
    """Every single mutant, without those that read like the original or like another one."""
    tree = _reference_tree(function)
    names = _names(inspect.unwrap(function))
    found: dict[str, str] = {}
    descriptions: set[str] = set()
    original = ast.unparse(tree)
    for node, ancestors in _walk(tree):
        for other in alternatives(node, ancestors[0], names):
            source = ast.unparse(_replaced(tree, node, other))
            if source == original or source in found:
                continue
            found[source] = _describe(node, other, ancestors, descriptions)
            descriptions.add(found[source])
    return [Mutant(description, source) for source, description in found.items()]


def _reference_tree(function: Callable) -> ast.FunctionDef | ast.ClassDef:
    """The function without its annotations, so that jaxtyping does not judge the mutants before the exam does."""
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


def _walk(tree: ast.AST, ancestors: tuple[ast.AST, ...] = ()) -> Iterator[tuple[ast.AST, tuple[ast.AST, ...]]]:
    """Each node below, with its ancestors from the nearest on."""
    ancestors = (tree, *ancestors)
    for node in ast.iter_child_nodes(tree):
        if not _is_refusal(node):
            yield node, ancestors
            yield from _walk(node, ancestors)


def _is_refusal(node: ast.AST) -> bool:
    """What refuses a misuse and says why: an exam asks only for what the exercise promises."""
    if isinstance(node, ast.If):
        return not node.orelse and all(isinstance(line, ast.Raise) for line in node.body)
    return isinstance(node, ast.Raise | ast.JoinedStr)


def _replaced(tree: ast.AST, node: ast.AST, other: ast.AST) -> ast.AST:
    return copy.deepcopy(tree, {id(node): other})  # the memo says that the copy of `node` is `other`


def _describe(node: ast.AST, other: ast.AST, ancestors: tuple[ast.AST, ...], taken: set[str]) -> str:
    """The change in the smallest expression that tells it from the others; a number alone would say little."""
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
