"""TorchScript graphs that are called: each node remembers the lines of Python that it was made from.

A traced nn.MultiheadAttention runs no line of it, only operators that anybody may use.
"""

import linecache
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from types import CodeType
from typing import Any

import torch

_CALLED: tuple[Any, ...] = (torch._C.ScriptFunction, torch._C.ScriptMethod)
_TRACED, _SCRIPTED = re.compile(r"^(/?\S.*?)\((\d+)\): ", re.M), re.compile(r'File "(.+?)", line (\d+)')


@contextmanager
def noting_graphs() -> Iterator[list[Any]]:
    """A list that fills with the TorchScript functions and methods called in this context."""
    called: list[Any] = []
    calls = [kind.__call__ for kind in _CALLED]
    for kind, call in zip(_CALLED, calls, strict=True):
        kind.__call__ = _noting(call, called)
    try:
        yield called
    finally:
        for kind, call in zip(_CALLED, calls, strict=True):
            kind.__call__ = call


def _noting(call: Any, called: list[Any]) -> Any:
    def note(graph: Any, *arguments: object, **options: object) -> object:
        called.append(graph)
        return call(graph, *arguments, **options)

    return note


def codes_of_graphs(graphs: Sequence[Any]) -> dict[int, CodeType]:
    """The Python functions whose lines became nodes of these graphs, by the id of their code."""
    found: dict[int, CodeType] = {}
    for graph in graphs:
        for node in graph.inlined_graph.nodes():
            origin = node.sourceRange()
            for file, line in (*_TRACED.findall(origin), *_SCRIPTED.findall(origin)):
                found |= {id(code): code for code in _codes_at(file, int(line))}
    return found


@cache
def _codes_at(file: str, line: int) -> list[CodeType]:
    return [code for code in _codes_in(file) if any(line == own for _, _, own in code.co_lines())]


@cache
def _codes_in(file: str) -> list[CodeType]:
    """Every function of a file."""
    waiting, found = [_compiled(file)], []
    while waiting:
        code = waiting.pop()
        if code is not None:
            found.append(code)
            waiting += [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return found


def _compiled(file: str) -> CodeType | None:
    try:
        return compile("".join(linecache.getlines(file)), file, "exec")
    except (SyntaxError, ValueError):
        return None
