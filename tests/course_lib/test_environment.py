"""The first cell of the course: it says what is here, and in kind words what is missing."""

import sys
import tomllib
from importlib.metadata import PackageNotFoundError

import pytest
from builders.import_graph import ImportGraph

from autograder.course.units import ROOT
from course_lib import environment
from course_lib.environment import PACKAGES, PYTHON, NotReady, look_around


def message():
    with pytest.raises(NotReady) as error:
        look_around()
    assert "\n".join(error.value._render_traceback_()) == str(error.value)
    return str(error.value)


def with_versions(monkeypatch, **versions):
    def version(name):
        found = versions.get(name.replace("-", "_"), PACKAGES[name])
        if found is None:
            raise PackageNotFoundError(name)
        return found

    monkeypatch.setattr(environment, "version", version)


def test_everything_is_here(capsys):
    look_around()
    shown = capsys.readouterr().out
    assert "✗" not in shown
    assert all(f"✓ {name} " in shown for name in PACKAGES)
    assert shown.endswith("Welcome to the course!\n")


def test_missing_and_old_packages_come_with_the_line_that_helps(monkeypatch):
    with_versions(monkeypatch, torch="2.5.1", scikit_learn=None, numpy="1.26.4+local")
    text = message()
    assert "✗ torch 2.5.1 is older than 2.6" in text
    assert "✗ scikit-learn is missing" in text
    assert "✓ numpy 1.26.4+local" in text
    assert '%pip install "torch>=2.6" "scikit-learn>=1.5"\n' in text
    assert "nothing you did is wrong" in text


@pytest.mark.parametrize("found", ["2.6rc1", "2.6", "2.13.0+cpu", "2.7.0.dev20250101+cu126", "3", "26", "unknown"])
def test_versions_are_read_however_they_are_written(monkeypatch, found, capsys):
    with_versions(monkeypatch, torch=found)
    look_around()
    assert f"✓ torch {found}\n" in capsys.readouterr().out


@pytest.mark.parametrize("found", ["2.5rc1", "2", "1.26", "2.5.9+cu126", "2.dev0"])
def test_old_versions_too(monkeypatch, found):
    with_versions(monkeypatch, torch=found)
    assert f"✗ torch {found} is older than 2.6" in message()


def test_a_package_of_which_a_folder_is_left_is_missing(monkeypatch):
    monkeypatch.setattr(environment, "version", lambda name: None if name == "numpy" else PACKAGES[name])
    assert "✗ numpy is missing" in message()


def test_torch_that_does_not_load_is_told_apart(monkeypatch):
    def broken(name):
        raise OSError("a library is missing")

    monkeypatch.setattr(environment.importlib, "import_module", broken)
    assert "is installed but does not load (OSError: a library is missing)" in message()


def test_old_python_is_named_before_anything_is_installed(monkeypatch):
    monkeypatch.setattr(sys, "version_info", (3, 9, 7, "final", 0))
    text = message()
    assert "this is Python 3.9.7, the course needs 3.11 or later" in text
    assert "%pip" not in text


def test_colab_keeps_the_ipywidgets_that_its_pages_can_show(monkeypatch, capsys):
    with_versions(monkeypatch, ipywidgets="7.7.1")
    assert "✗ ipywidgets 7.7.1 is older than 8.1" in message()
    monkeypatch.setitem(sys.modules, "google.colab", None)
    look_around()
    assert "✓ ipywidgets 7.7.1" in capsys.readouterr().out


def test_floors_are_those_of_the_project():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    floors = dict(requirement.split(">=") for requirement in project["dependencies"])
    assert {name: floors[name] for name in PACKAGES} == PACKAGES
    assert project["requires-python"] == f">={'.'.join(map(str, PYTHON))}"


def test_it_needs_only_python_itself():
    """And so does what is imported before it: the package, and the finder of former paths."""
    package = ImportGraph(ROOT / "course_lib")
    needs = package.reachable("") | package.reachable("environment")
    external = {name.removeprefix("external ") for name in needs if name.startswith("external ")}
    assert external <= sys.stdlib_module_names
    assert {name for name in needs if not name.startswith("external ")} == {"former_paths"}
