"""What the documents promise is so: units, commands, pictures, links, and the floors of the two environments."""

import re
import tomllib

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from autograder.cli import main
from autograder.course.units import ROOT, all_units

DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]


def test_readme_lists_the_units_of_the_course():
    text = (ROOT / "README.md").read_text("utf-8")
    rows = re.findall(r"^\| (\d\d) \| (.+?) \| (.+?) \| ?(\d*) ?\| ?(\d*) ?\|$", text, flags=re.MULTILINE)
    listed = [
        (number, re.sub(r"\[(.+?)\]\(.+?\)", r"\1", title), summary, m, p) for number, title, summary, m, p in rows
    ]
    written = [
        (u.id, u.title, u.summary, str(u.minutes or ""), f"{u.points:g}" if u.points else "") for u in all_units()
    ]
    assert listed == written


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_links_and_pictures_exist(path):
    for target in re.findall(r"\]\(([^)#]+)\)", path.read_text("utf-8")):
        assert (path.parent / target).exists(), target


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_commands_exist(path):
    text = path.read_text("utf-8")
    commands = {command.name or command.callback.__name__ for command in main.app.registered_commands}
    used = set(re.findall(r"(?:^|`)course (?!--)(\w+)", text, flags=re.MULTILINE))
    assert used <= commands
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text("utf-8"), flags=re.MULTILINE))
    assert set(re.findall(r"(?:^|`)make (\w+)", text, flags=re.MULTILINE)) <= targets


def test_conda_and_pip_ask_for_the_same():
    """And for nothing else, such as what only tests need."""
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
    lines = (ROOT / "environment.yml").read_text("utf-8").splitlines()
    conda = {line.removeprefix("  - ") for line in lines if line.startswith("  - ") and ">=" in line}
    renamed = {"torch": "pytorch-cpu", "matplotlib": "matplotlib-base"}
    renamed |= {name: name.replace("-", "_") for name in ("jupyter-client", "jupyter-server-mathjax")}
    names_and_floors = (requirement.split(">=") for requirement in wanted)
    assert conda == {"python>=3.11", *(f"{renamed.get(name, name)}>={floor}" for name, floor in names_and_floors)}


def test_the_sandbox_is_pinned_by_its_hashes():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    asked = [Requirement(line) for line in project["optional-dependencies"]["sandbox"]]
    text = re.sub(r"^#.*\n", "", (ROOT / "sandbox-requirements.txt").read_text("utf-8")).replace("\\\n", "")
    pinned = {Requirement(line.partition("--hash")[0]): line for line in text.splitlines()}
    assert {(one.name, one.marker) for one in pinned} == {(one.name, one.marker) for one in asked}
    for one, line in pinned.items():
        (pin,) = one.specifier
        assert pin.operator == "=="
        assert all(pin.version in other.specifier for other in asked if other.name == one.name)
        hashes = re.findall(r"--hash=sha256:([0-9a-f]{64})(?= |$)", line)
        assert len(set(hashes)) == line.count("--hash") == 2  # a wheel for each of two kinds of machine


def test_constraints_are_versions_that_are_asked_for():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    pinned = [Requirement(line) for line in lines if not line.startswith("#")]
    pins = {canonicalize_name(pin.name): next(iter(pin.specifier)).version for pin in pinned}
    assert set(pins) > {"torch", "nbgrader", "pytest"}
    for line in {*project["dependencies"], *project["optional-dependencies"]["test"]}:
        requirement = Requirement(line)
        assert pins[canonicalize_name(requirement.name)] in requirement.specifier, line
