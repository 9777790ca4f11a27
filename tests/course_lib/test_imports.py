"""Imports go one way: no cycle, no module of a later unit, and what students get needs no answer."""

import ast
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import course_lib
from autograder.course import all_units

ROOT = Path(course_lib.__file__).parent

# The unit whose students write the module: it may not need anything that is written later.
# A module that is not here comes with the course, before anything is written.
UNIT = {answer: int(unit.id) for unit in all_units() for answer in unit.answers}
STUDENTS_HAVE = {"torch", "numpy", "matplotlib", "ipywidgets", "jaxtyping", "sklearn"}
# Layers from the bottom: a module imports only from layers below its own.
LAYERS = ["attention", "multihead", "blocks", "models"]


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(path: Path) -> set[str]:
    """The modules of course_lib, without that prefix, and the top names of everything else."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name} imports relatively"
            # `from package import module` needs the module, not only its package.
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return {resolve(name) for name in names}


def resolve(name: str) -> str:
    if name.split(".")[0] != "course_lib":
        return "external " + name.split(".")[0]
    inner = name.removeprefix("course_lib").lstrip(".")
    while inner and inner not in FILES:
        inner = inner.rpartition(".")[0]
    return inner


FILES = {module_name(path): path for path in sorted(ROOT.rglob("*.py"))}
GRAPH = {name: {other for other in imported(path) if other != name} for name, path in FILES.items()}


def reachable(name: str) -> set[str]:
    seen, waiting = set(), [name]
    while waiting:
        for other in GRAPH.get(waiting.pop(), ()):
            if other not in seen:
                seen.add(other)
                waiting.append(other)
    return seen


def unit_of(name: str) -> int:
    return next((unit for module, unit in UNIT.items() if name == module or name.startswith(module + ".")), -1)


def test_the_table_names_real_modules():
    assert set(UNIT) <= set(FILES)
    assert {name for name in FILES if name.startswith("models.")} <= set(UNIT)


def test_there_is_no_cycle():
    list(TopologicalSorter(GRAPH).static_order())


@pytest.mark.parametrize("name", sorted(FILES))
def test_no_module_needs_a_later_unit_or_the_autograder(name):
    needs = reachable(name)
    assert "external autograder" not in needs
    later = {other for other in needs if unit_of(other) > unit_of(name)}
    assert not later, f"{name} (unit {unit_of(name)}) needs {later}"


def test_layers_are_stacked():
    layer = {name: next((i for i, part in enumerate(LAYERS) if name.split(".")[0] == part), -1) for name in FILES}
    for name, others in GRAPH.items():
        if layer[name] >= 0:
            assert all(layer.get(other, -1) <= layer[name] for other in others)
    assert "attention" in reachable("multihead")
    assert "multihead" in reachable("blocks")
    assert "blocks" in reachable("models.transformer")


def test_packages_in_parts_stay_empty_so_that_a_part_can_be_left_out():
    for package in ("", "models", "tasks"):
        assert not GRAPH[package], f"course_lib/{package}/__init__.py imports {GRAPH[package]}"


def test_students_need_only_these_packages():
    external = {name.removeprefix("external ") for others in GRAPH.values() for name in others if " " in name}
    assert external - sys.stdlib_module_names == STUDENTS_HAVE
