"""The names that the code of a cell defines, also where Python cannot parse it."""

import ast
import itertools
import re
from collections.abc import Iterator, Mapping, Sequence

from autograder.course.syntax_trees import parse

MOST_CHARACTERS = 100_000  # of a cell that is parsed: trees take a hundred times the memory of their text
MAGIC = re.compile(r"^([ \t]*)[%!].*$", re.MULTILINE)
HEAD = re.compile(r"^(?:(?:async[ \t]+)?def|class)[ \t]+(\w+)|^(\w+)[ \t]*(?::[^=\n]*)?=(?!=)", re.MULTILINE)


def parse_cell(source: str) -> ast.Module | None:
    """The syntax tree of a cell, whose magic commands count as `pass`; None if it is no Python, or very long."""
    if len(source) > MOST_CHARACTERS:
        return None
    return parse(source) or parse(MAGIC.sub(r"\1pass", source))


def definitions(source: str) -> dict[str, int]:
    """Each name that the cell defines, with the line where its last definition ends, and what changes it at once.

    Where the cell cannot be parsed, the lines are 0.
    """
    tree = parse_cell(source)
    if tree is None:
        return {name: 0 for match in HEAD.finditer(source) for name in match.groups() if name}
    ends: dict[str, int] = {}
    for statement in tree.body:
        changed = (name for name in _changed(statement) if name in ends)
        ends |= dict.fromkeys((*_bound(statement), *changed), statement.end_lineno or 0)
    return ends


def imports(source: str) -> set[str]:
    """The names that the statements of a cell import."""
    tree = parse_cell(source)
    statements = [line for line in tree.body if isinstance(line, ast.Import | ast.ImportFrom)] if tree else []
    return {(alias.asname or alias.name).partition(".")[0] for line in statements for alias in line.names}


def fingerprint(source: str) -> str:
    """The same for code that differs in comments and layout alone."""
    tree = parse_cell(source)
    return ast.dump(tree) if tree and tree.body else source.strip()


def shares(source: str, names: Mapping[str, frozenset[str]]) -> dict[str, str]:
    """A cell that answers several exercises, cut behind the definition of each; whole for each if that cannot be.

    `names` are what each exercise needs defined, in the order of the notebook.
    """
    lines, defined = source.splitlines(keepends=True), definitions(source)
    ends = [max(defined[name] for name in needed) for needed in names.values()]
    if 0 in ends or any(here >= there for here, there in itertools.pairwise(ends)):
        return dict.fromkeys(names, source)
    cuts = [0, *ends[:-1], len(lines)]
    parts = ["".join(lines[start:stop]).strip("\n") for start, stop in itertools.pairwise(cuts)]
    return dict(zip(names, parts, strict=True))


def _bound(statement: ast.stmt) -> Iterator[str]:
    """The names that a statement binds where it is, also within an `if`, a `with` or a `try`."""
    match statement:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.Assign(targets=targets):
            yield from _names(targets)
        case ast.AnnAssign(target=target, value=ast.expr()):
            yield from _names([target])
        case ast.If() | ast.With() | ast.Try() | ast.For() | ast.While():
            for block in ("body", "orelse", "finalbody"):
                for inner in getattr(statement, block, ()):
                    yield from _bound(inner)


def _changed(statement: ast.stmt) -> Iterator[str]:
    """The names whose items a statement sets, of which it calls a method, or which it prints."""
    for node in ast.walk(statement):
        match node:
            case ast.Subscript(value=ast.Name(id=name), ctx=ast.Store()):
                yield name
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name)))):
                yield name
            case ast.Expr(value=ast.Call(func=ast.Name(id="print"), args=[ast.Name(id=name)])):
                yield name


def _names(targets: Sequence[ast.expr]) -> Iterator[str]:
    for target in targets:
        if isinstance(target, ast.Tuple | ast.List):
            yield from _names(target.elts)
        elif isinstance(target, ast.Name):
            yield target.id
