"""Forbidden functions that the source of an answer names."""

import ast
import functools
import inspect
import pkgutil
import textwrap
from collections.abc import Callable, Sequence
from typing import NamedTuple


def written_in(answer: object, paths: Sequence[str]) -> str | None:
    """The first of the paths, such as torch.softmax, that the answer is or that its source names."""
    for path in paths:
        target = _resolve(path)
        if answer is target or _names(answer, target):
            return path
    return None


@functools.cache
def _resolve(path: str) -> object:
    return pkgutil.resolve_name(path)  # of a module, or of a class in one, such as torch.Tensor.softmax


class _Words(NamedTuple):
    """The names in a function's source: words, attributes with the root of their chain, strings in getattr."""

    words: set[str]
    attributes: set[tuple[str, str]]
    looked_up: set[str]


def _names(answer: object, target: object) -> bool:
    """Whether the answer's source names the target: by any alias, through a module of torch, or in a string."""
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
    nodes = [*ast.walk(ast.parse(textwrap.dedent(inspect.getsource(answer))))]
    owners = {id(node.value) for node in nodes if isinstance(node, ast.Attribute)}  # as nn.Transformer of its mask
    for node in nodes:
        match node:
            case _ if id(node) in owners:
                continue
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
