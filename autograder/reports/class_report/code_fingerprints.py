"""The shape of an answer: its syntax tree with every name taken off, as a set of fingerprints.

Fingerprints are hashes of runs of RUN parts of the tree, of which winnowing keeps the least in each window: two answers
that share a longer piece share a fingerprint, wherever it stands and whatever its variables are called.
"""

import ast
import hashlib
import re
from collections.abc import Iterator, Sequence

from autograder.course.syntax_trees import is_docstring, parse

RUN = 6
WINDOW = 3
WORD = re.compile(r"\w+")
LOOSE = re.compile(r"[A-Za-z_]\w*|\d[\d.]*|[^\s\w]")
DULL = (ast.expr_context, ast.Module, ast.Expr)


def shape(source: str, prose: bool = False) -> list[str]:
    """The parts of an answer in order: nodes of code without names, or words of prose."""
    if prose:
        return [word.lower() for word in WORD.findall(source)]
    tree = parse(source)
    if tree is None:
        # code that does not parse still has a shape: its signs, with every word alike
        return ["name" if part[0].isalpha() or part[0] == "_" else part for part in LOOSE.findall(source)]
    return list(_parts(tree))


def all_runs(parts: Sequence[str]) -> set[bytes]:
    """A hash of every run of parts; an answer shorter than a run is one run."""
    count = max(1, len(parts) - RUN + 1) if parts else 0
    return {_hash(parts[start : start + RUN]) for start in range(count)}


def fingerprints(parts: Sequence[str]) -> set[bytes]:
    """The hashes that winnowing keeps."""
    count = max(1, len(parts) - RUN + 1) if parts else 0
    hashes = [_hash(parts[start : start + RUN]) for start in range(count)]
    return {min(hashes[start : start + WINDOW]) for start in range(max(1, count - WINDOW + 1))} if hashes else set()


def _hash(run: Sequence[str]) -> bytes:
    return hashlib.blake2b("\0".join(run).encode("utf-8", "replace"), digest_size=8).digest()


def _parts(tree: ast.AST) -> Iterator[str]:
    """Depth first, without recursion: a hostile answer may be nested as deeply as the parser allows."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if not isinstance(node, DULL):
            yield _part(node)
        waiting += [child for child in reversed(list(ast.iter_child_nodes(node))) if not is_docstring(child)]


def _part(node: ast.AST) -> str:
    """What is the student's choice of words is left out; methods, keywords, numbers and texts are kept."""
    if isinstance(node, ast.Attribute):
        return f".{node.attr}"
    if isinstance(node, ast.keyword):
        return f"{node.arg}="
    if isinstance(node, ast.Constant):
        return f"{node.value!r:.60}"
    return type(node).__name__
