"""Code that reaches for the machine and not for an answer; it gains nothing, but a person should look."""

import ast
from collections.abc import Iterable

from autograder.course.syntax_trees import parse

REACHES = {
    "the notebook's own machinery": (
        "input_transformers_cleanup",
        "input_transformers_post",
        "ast_transformers",
        "run_cell",
        "set_custom_exc",
    ),
    "the grader": ("autograder", "nbgrader", "NBGRADER_EXECUTION"),
    "the objects of others": ("get_objects", "_getframe", "__subclasses__", "__globals__", "currentframe"),
    "processes": ("_exit", "fork", "kill", "subprocess", "Popen", "multiprocessing", "system", "execv", "ptrace"),
    "memory": ("ctypes", "mmap"),
    "files of the system": ("rmtree", "/proc", "/etc", "expanduser", "environ"),
    "the network": ("socket", "urllib", "requests", "http"),
}
WHERE = {name: place for place, names in REACHES.items() for name in names}


def reaches_for(sources: Iterable[str]) -> dict[str, str]:
    """The names in some code that reach beyond an answer, each with what it reaches for."""
    found: dict[str, str] = {}
    for source in sources:
        for name in _names(source):
            if name in WHERE:
                found.setdefault(name, WHERE[name])
    return found


def _names(source: str) -> Iterable[str]:
    """Attributes, imports and the beginnings of paths, not plain names; code that cannot be read has none."""
    tree = parse(source)
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.partition(".")[0]
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield "/".join(node.value.split("/")[:2]) if node.value.startswith("/") else node.value
