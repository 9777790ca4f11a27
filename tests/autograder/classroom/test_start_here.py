"""START_HERE: a shell can run its lines, and they name what is in the bundle; student_side.py runs them for real."""

import json
import re
import shutil
import subprocess
import tomllib

import pytest
import student_side
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from autograder.classroom.start_here import requirements, start_here
from autograder.course.units import ROOT, find_unit
from course_lib.environment import PACKAGES

UNIT = find_unit("01")
PAGE = start_here(UNIT)
LINES = {system: student_side.lines_for(system, PAGE) for system in student_side.HEADINGS.values()}
SYSTEM = pytest.mark.parametrize("system", LINES)
ACTIVATE = {"Windows": r".venv\Scripts\Activate.ps1", "macOS": "source .venv/bin/activate"}
ACTIVATE["Linux"] = ACTIVATE["macOS"]
CPU = "--index-url https://download.pytorch.org/whl/cpu"


@SYSTEM
def test_lines_make_an_environment_install_and_open_the_notebook(system):
    python = "python" if system == "Windows" else "python3"
    version, venv, activate, *installs, lab = LINES[system]
    assert [version, venv, activate] == [f"{python} --version", f"{python} -m venv .venv", ACTIVATE[system]]
    assert installs[-1] == "python -m pip install -r requirements.txt"
    assert lab == f"jupyter lab {UNIT.notebook.name}"


def test_only_on_linux_torch_comes_without_cuda():
    torch = next(line for line in requirements().splitlines() if line.startswith("torch=="))
    assert LINES["Linux"][3] == f"python -m pip install {torch} {CPU}"
    assert LINES["Windows"][3:] == LINES["macOS"][3:] == LINES["Linux"][4:]


@SYSTEM
def test_a_shell_can_read_every_line(system):
    for line in LINES[system]:
        assert line.isascii()
        assert not set("\"'$`|&;<>(){}") & set(line)  # so that cmd, PowerShell and bash all read words
    if system != "Windows":
        subprocess.run([shutil.which("bash"), "-n"], input="\n".join(LINES[system]), text=True, check=True)


def test_requirements_are_what_the_course_needs_in_the_tested_versions():
    pins = [Requirement(line) for line in requirements().splitlines()]
    assert {pin.name for pin in pins} == {*PACKAGES, "jupyterlab"}
    tested = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    assert {str(pin) for pin in pins} <= set(tested)
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
    floors = {floor.name: floor.specifier for floor in map(Requirement, wanted)}
    for pin in pins:
        (version,) = pin.specifier
        assert floors[pin.name].contains(version.version)


def test_pythons_that_it_names_are_allowed():
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["requires-python"]
    named = set(re.findall(r"\b3\.1\d\b", PAGE))
    assert named == {"3.11", "3.12", "3.13"}
    assert all(version in SpecifierSet(wanted) for version in named)


def test_whoever_keeps_a_torch_of_their_own_installs_all_the_rest():
    line = re.search(r"`python -m pip install ((?:[\w-]+ ?)+)`", PAGE)[1]
    assert {*line.split(), "torch", "numpy"} == {*PACKAGES, "jupyterlab"}  # numpy comes with matplotlib


def test_every_file_that_it_names_is_in_the_bundle_or_made_by_its_lines():
    named = set(re.findall(r"`([\w.]+\.(?:md|txt|ipynb|zip|py))`", PAGE))
    assert named == {UNIT.notebook.name, "requirements.txt", f"{UNIT.full_name}.zip"}


def test_shells_run_the_lines_in_order_and_stop_at_the_first_that_fails(tmp_path):
    folder = tmp_path / "a bundle"
    folder.mkdir()
    with pytest.raises(subprocess.CalledProcessError):
        student_side.run_lines(["echo 1 > first", "exit 3", "echo 2 > second"], folder)
    assert [path.name for path in folder.iterdir()] == ["first"]


def test_a_run_is_judged_by_errors_and_visible_checks(tmp_path):
    assert student_side.complaints(run_of("✓ right", "○ graded later")) == []
    assert student_side.complaints(run_of("✗ wrong")) == ["test_a: the visible check said '✗ wrong'"]
    assert student_side.complaints(run_of("")) == ["test_a: the visible check said ''"]
    failed = run_of("✓ right")
    failed["cells"][0]["outputs"] = [{"output_type": "error", "evalue": "no module"}]
    assert student_side.complaints(failed) == ["import torch: no module"]


def run_of(*checks):
    cells = [{"cell_type": "code", "metadata": {}, "source": ["import torch\n", "x = 1"], "outputs": []}]
    for said in checks:
        outputs = [{"output_type": "stream", "name": "stdout", "text": [said]}]
        marks = {"grade": True, "solution": False, "grade_id": "test_a"}
        cells.append({"cell_type": "code", "metadata": {"nbgrader": marks}, "source": [], "outputs": outputs})
    return json.loads(json.dumps({"cells": cells}))
