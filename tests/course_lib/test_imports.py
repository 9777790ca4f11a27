"""What course_lib imports: the packages students have, and never the autograder."""

import ast
import sys
from pathlib import Path

import course_lib

ALLOWED = {"torch", "numpy", "matplotlib", "ipywidgets", "jaxtyping", "IPython", "course_lib"}


def imported_packages(path):
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module.partition(".")[0]


def test_students_need_only_these_packages():
    files = list(Path(course_lib.__file__).parent.rglob("*.py"))
    assert files
    for path in files:
        foreign = set(imported_packages(path)) - ALLOWED - sys.stdlib_module_names
        assert not foreign, f"{path} imports {foreign}"
