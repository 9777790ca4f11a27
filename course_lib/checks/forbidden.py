"""Functions a student may not call, because writing what they do is the exercise."""

import ast
import functools
import inspect
import pkgutil
import textwrap
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import NamedTuple
from unittest import mock

from course_lib.checks.finding import Finding, Kind


@contextmanager
def forbidding(exercise: str, answer: object, paths: Sequence[str]) -> Iterator[None]:
    """Raise a Finding if the answer is a forbidden function, names one in its source, or calls one in this context.

    The names in `paths`, such as torch.softmax, are patched meanwhile.
    """
    with ExitStack() as stack:
        for path in paths:
            sentence = f"{exercise} may not use {path}: writing what it does is the point of this exercise"
            target = _resolve(path)
            if answer is target or _names(answer, target):
                raise Finding(sentence, kind=Kind.FORBIDDEN)
            owner, _, name = path.rpartition(".")
            stack.enter_context(mock.patch.object(_resolve(owner), name, functools.partial(_refuse, sentence)))
        yield


def _refuse(sentence: str, *arguments: object, **options: object) -> None:
    raise Finding(sentence, kind=Kind.FORBIDDEN)


@functools.cache
def _resolve(path: str) -> object:
    return pkgutil.resolve_name(path)  # of a module, or of a class in one, such as torch.Tensor.softmax


class _Words(NamedTuple):
    """The names in a function's source: words, attributes with the root of their chain, strings in getattr."""

    words: set[str]
    attributes: set[tuple[str, str]]
    looked_up: set[str]


def _names(answer: object, target: object) -> bool:
    """Whether the answer's source names the target: by any alias, through a module of torch, or in a string.

    The patch in `forbidding` catches names that exist only at run time, such as an import inside the function.
    """
    if not callable(answer):
        return False
    try:
        words, attributes, looked_up = _words(answer)
    except (OSError, TypeError, SyntaxError):
        return False
    names, name = getattr(answer, "__globals__", {}), getattr(target, "__name__", "")
    return (
        any(names.get(word) is target for word in words)
        or any(word == name and _module(names.get(root)).startswith("torch") for word, root in attributes)
        or name in looked_up
    )


@functools.lru_cache(maxsize=64)  # each hidden test calls the same answer again
def _words(answer: Callable[..., object]) -> _Words:
    named = _Words(set(), set(), set())
    for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(answer)))):
        match node:
            case ast.Name(id=word):
                named.words.add(word)
            case ast.Attribute(attr=word):
                named.attributes.add((word, _root(node)))
            case ast.Call(func=ast.Name(id="getattr"), args=[_, ast.Constant(value=str(word)), *_]):
                named.looked_up.add(word)
    return named


def _root(node: ast.expr) -> str:
    """The word that an attribute chain such as F.x or torch.nn.functional.x begins with."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _module(value: object) -> str:
    return getattr(value, "__name__", "")
