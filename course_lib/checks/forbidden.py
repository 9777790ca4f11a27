"""Functions a student may not call, because writing what they do is the exercise."""

import ast
import functools
import importlib
import inspect
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
    module, name = path.rsplit(".", 1)
    return getattr(importlib.import_module(module), name)


def _holds(answer: object, target: object) -> bool:
    """Whether a global name in the answer's source is the target, under whatever alias it was imported."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(answer)))
    except (OSError, TypeError, SyntaxError):
        return False
    names = getattr(answer, "__globals__", {})
    return any(isinstance(node, ast.Name) and names.get(node.id) is target for node in ast.walk(tree))
