"""What the documents promise is so: units, commands, pictures, links, and the floors of the two environments."""

import ast
import re
import tomllib

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from autograder.cli import main
from autograder.course.units import ROOT, all_units

DOCUMENTS = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]
ARCHITECTURE = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


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
    for target in re.findall(r"\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)", path.read_text("utf-8")):
        assert (path.parent / target).exists(), target


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_files_of_ours_exist(path):
    text = path.read_text("utf-8")
    named = set(re.findall(r"`((?:autograder|course_lib|tests|solutions|docs|binder)/[\w./-]+)", text))
    to_be_made = set(re.findall(r"Create `(.+?)`", text))
    assert [name for name in named - to_be_made if "NN" not in name and not (ROOT / name).exists()] == []


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
    wanted = PROJECT["dependencies"]
    lines = (ROOT / "environment.yml").read_text("utf-8").splitlines()
    conda = {line.removeprefix("  - ") for line in lines if line.startswith("  - ") and ">=" in line}
    renamed = {"torch": "pytorch-cpu", "matplotlib": "matplotlib-base"}
    renamed |= {name: name.replace("-", "_") for name in ("jupyter-client", "jupyter-server-mathjax")}
    names_and_floors = (requirement.split(">=") for requirement in wanted)
    assert conda == {"python>=3.11", *(f"{renamed.get(name, name)}>={floor}" for name, floor in names_and_floors)}


def test_the_sandbox_is_pinned_by_its_hashes():
    asked = [Requirement(line) for line in PROJECT["optional-dependencies"]["sandbox"]]
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
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    pinned = [Requirement(line) for line in lines if not line.startswith("#")]
    pins = {canonicalize_name(pin.name): next(iter(pin.specifier)).version for pin in pinned}
    assert set(pins) > {"torch", "nbgrader", "pytest"}
    for line in {*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["test"]}:
        requirement = Requirement(line)
        assert pins[canonicalize_name(requirement.name)] in requirement.specifier, line


def defined_in(path):
    """The functions and classes of a module, with their methods as Class.method."""
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        if isinstance(node, ast.ClassDef):
            yield from (f"{node.name}.{inner.name}" for inner in node.body if isinstance(inner, ast.FunctionDef))


def test_architecture_names_what_there_is():
    named = re.findall(r"`([\w/]+\.py): ([\w.]+)`", ARCHITECTURE)
    assert len(named) > 30
    missing = [
        f"{path}: {name}" for path, name in named if not (ROOT / path).exists() or name not in defined_in(ROOT / path)
    ]
    assert missing == []


def test_architecture_lists_every_room():
    rooms = re.findall(r"^\| `((?:autograder|course_lib)/\w+)` \|", ARCHITECTURE, flags=re.MULTILINE)
    packages = [path.parent for name in ("autograder", "course_lib") for path in (ROOT / name).glob("*/__init__.py")]
    assert sorted(rooms) == sorted(str(path.relative_to(ROOT)) for path in packages)


def test_architecture_can_be_read_at_one_sitting():
    assert len(ARCHITECTURE.splitlines()) <= 150


def test_the_newest_version_of_the_changelog_is_the_projects():
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    versions = re.findall(r"^## \[(\d+\.\d+\.\d+)\]", text, flags=re.MULTILINE)
    assert versions[0] == PROJECT["version"]
    assert versions == sorted(versions, key=Version, reverse=True)
    assert versions[-1] == "0.1.0"


def test_a_citation_names_this_version():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert citation["cff-version"] == "1.2.0"
    assert {"message", "title", "authors"} <= set(citation)  # what the schema requires
    assert all(set(author) <= {"name", "family-names", "given-names"} for author in citation["authors"])
    assert citation["type"] == "software"
    assert (citation["version"], citation["license"]) == (PROJECT["version"], PROJECT["license"])


def test_hooks_before_a_commit_fetch_nothing_and_are_part_of_quick():
    repositories = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))["repos"]
    (hooks,) = (each["hooks"] for each in repositories if each["repo"] == "local")
    assert len(repositories) == 1
    makefile = (ROOT / "Makefile").read_text("utf-8").replace("$(BIN)", ".venv/bin")
    for hook in hooks:
        assert (hook["language"], hook["pass_filenames"]) == ("system", False)
        assert f"\t{hook['entry']}\n" in makefile
