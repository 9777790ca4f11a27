"""Functions a student may not call, because writing what they do is the exercise."""

import ast
import functools
import inspect
import pkgutil
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from unittest import mock

from course_lib.checks.finding import Finding


@contextmanager
def forbidding(exercise: str, answer: object, paths: Sequence[str]) -> Iterator[None]:
    """Raise a Finding if the answer is a forbidden function, holds one by name, or calls one meanwhile."""
    with ExitStack() as stack:
        for path in paths:
            sentence = f"{exercise} may not use {path}: writing what it does is the point of this exercise"
            target = _resolve(path)
            if answer is target or _holds(answer, target):
                raise Finding(sentence)
            stack.enter_context(mock.patch(path, functools.partial(_refuse, sentence)))
        yield


def _refuse(sentence: str, *arguments: object, **options: object) -> None:
    raise Finding(sentence)


def _resolve(path: str) -> object:
    return pkgutil.resolve_name(path)  # of a module, or of a class in one, such as torch.Tensor.softmax


def _holds(answer: object, target: object) -> bool:
    """Whether the answer's source names the target: by any alias, through a module of torch, or in a string.

    What only happens when the code runs, an import inside it for example, meets the guard instead.
    """
    try:
        tree = _tree(answer)
    except (OSError, TypeError, SyntaxError):
        return False
    names, name = getattr(answer, "__globals__", {}), getattr(target, "__name__", "")
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=word) if names.get(word) is target:
                return True
            case ast.Attribute(attr=word) if word == name and _root(node, names).startswith("torch"):
                return True
            case ast.Call(func=ast.Name(id="getattr"), args=[_, ast.Constant(value=word), *_]) if word == name:
                return True
    return False


@functools.lru_cache(maxsize=64)
def _tree(answer: object) -> ast.AST:
    return ast.parse(textwrap.dedent(inspect.getsource(answer)))


def _root(node: ast.expr, names: dict) -> str:
    """The name of the module that an attribute chain such as F.x or torch.nn.functional.x begins with."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return getattr(names.get(node.id), "__name__", "") if isinstance(node, ast.Name) else ""
