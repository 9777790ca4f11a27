"""Imports go one way: no cycle, no module of a later unit, and what students get needs no answer."""

import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from builders.import_graph import ImportGraph

import course_lib
from autograder.course.units import all_units

PACKAGE = ImportGraph(Path(course_lib.__file__).parent)
# imported when it is called, in a unit whose students have it
PACKAGE.imports["checks.observers.cached_attention"].remove("nn.multihead")
# The unit whose students write the module: it may not need anything that is written later.
# A module that is not here comes with the course, before anything is written.
UNIT = {answer: int(unit.id) for unit in all_units() for answer in unit.answers}
STUDENTS_HAVE = {"torch", "numpy", "matplotlib", "ipywidgets", "jaxtyping", "sklearn"}
ROOMS = ["cards", "nn", "tasks", "plots", "models", "training", "checks", "widgets", "portfolio"]
EMPTY = ("nn", "models", "tasks")
LAYERS = ["nn.attention", "nn.multihead", "nn.blocks", "models"]  # from the bottom, each above the rest of its room


def unit_of(name: str) -> int:
    return next((unit for module, unit in UNIT.items() if name == module or name.startswith(f"{module}.")), -1)


def test_the_table_names_real_modules():
    assert set(UNIT) <= set(PACKAGE.files)
    models = {name for name in PACKAGE.files if name.startswith(("models.", "nn."))}
    assert {name for name in models if unit_of(name) < 0} == {"models.configs"}


def test_there_is_no_cycle():
    list(TopologicalSorter(PACKAGE.imports).static_order())


@pytest.mark.parametrize("name", sorted(PACKAGE.files))
def test_no_module_needs_a_later_unit_or_the_autograder(name):
    needs = PACKAGE.reachable(name)
    assert "external autograder" not in needs
    later = {other for other in needs if unit_of(other) > unit_of(name)}
    assert not later, f"{name} (unit {unit_of(name)}) needs {later}"


def test_a_room_imports_only_rooms_below_it():
    assert {path.name for path in PACKAGE.root.iterdir() if path.is_dir() and path.name != "__pycache__"} == set(ROOMS)
    assert PACKAGE.upward(ROOMS) == []


def test_layers_are_stacked():
    below = {name for name in PACKAGE.files if any(name.startswith(layer) for layer in LAYERS)}
    assert [line for line in PACKAGE.upward(LAYERS) if line.partition(" ")[0] in below] == []
    assert "nn.attention" in PACKAGE.reachable("nn.multihead")
    assert "nn.multihead" in PACKAGE.reachable("nn.blocks")
    assert "nn.blocks" in PACKAGE.reachable("models.transformer")


def test_packages_in_parts_stay_empty_so_that_a_part_can_be_left_out():
    for package in EMPTY:
        assert not PACKAGE.imports[package], f"course_lib/{package}/__init__.py imports {PACKAGE.imports[package]}"


def test_students_need_only_these_packages():
    external = {name.removeprefix("external ") for others in PACKAGE.imports.values() for name in others if " " in name}
    assert external - sys.stdlib_module_names == STUDENTS_HAVE
