"""The rooms of the autograder lie in layers: each imports only rooms below it, and the examiner's side only data."""

from graphlib import TopologicalSorter

import pytest
from builders.import_graph import ImportGraph

from autograder.course.units import PACKAGE as FOLDER

PACKAGE = ImportGraph(FOLDER)
ROOMS = [
    *("course", "exam_types", "sandbox", "exams", "classroom", "examiner", "authoring", "gradebook", "lab", "reports"),
    *("grading", "nbgrader_plugins", "terminal", "demo", "cli"),
]
AT_THE_TOP = {"errors", "atomic_files", "duration", "outside_files"}
# what begins at a path that others hold: `python -m autograder`, and the nbgrader_config.py of every class
DOORS = {"__main__", "nbgrader_setup"}


def test_the_rooms_are_these():
    rooms = {path.name for path in FOLDER.iterdir() if (path / "__init__.py").exists()}
    assert rooms == set(ROOMS)
    assert {name for name in PACKAGE.files if name and "." not in name} - rooms == AT_THE_TOP | DOORS


def test_a_room_imports_only_rooms_below_it():
    assert [line for line in PACKAGE.upward(ROOMS) if line.partition(" ")[0] not in DOORS] == []


def test_there_is_no_cycle():
    list(TopologicalSorter(PACKAGE.imports).static_order())


@pytest.mark.parametrize("room", ROOMS)
def test_every_room_says_what_lives_in_it(room):
    text = (FOLDER / room / "__init__.py").read_text("utf-8")
    assert text.startswith('"""')
    assert "ay import" in text.partition('"""')[2].partition('"""')[0]


def test_what_is_copied_into_the_sandbox_imports_nothing_else_of_ours():
    for name, others in PACKAGE.imports.items():
        if name.startswith(("sandbox.protocol.", "sandbox.inside.")):
            ours = {other for other in others if not other.startswith("external ")}
            assert all(other.startswith(("sandbox.protocol.", "sandbox.inside.")) for other in ours), (name, ours)
    protocol = {name for name in PACKAGE.files if name.startswith("sandbox.protocol.")}
    for name in protocol:
        reached = PACKAGE.reachable(name)
        assert not {other for other in reached if "inside" in other or other == "external course_lib"}


def test_a_planted_upward_import_is_found(tmp_path):
    for room, line in {"course": "from planted.cli import main", "cli": "from ..course import units"}.items():
        folder = tmp_path / "planted" / room
        folder.mkdir(parents=True)
        (folder / "__init__.py").write_text("")
        (folder / {"course": "units.py", "cli": "main.py"}[room]).write_text(f"def later():\n    {line}\n")
    planted = ImportGraph(tmp_path / "planted")
    assert planted.imports["cli.main"] == {"course.units"}
    assert planted.upward(ROOMS) == ["course.units imports cli.main"]
