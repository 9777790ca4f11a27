"""Commands that have nothing to compute, and those that are used wrongly, load none of what takes seconds to load."""

import json
import os
import shlex
import shutil
import subprocess
import sys

import pytest
from builders.quick_class import grade, hand_in, quick_grading

from autograder.classroom.directory import ClassDirectory
from autograder.course.units import ROOT
from autograder.grading import worker_pool

HEAVY = (
    "torch",
    "matplotlib",
    "sklearn",
    "IPython",
    "notebook",
    "nbconvert",
    "jupyterlab",
    "jupyter_server",
    "nbgrader.apps",
    "nbgrader.server_extensions",
)
RUN = f"""
import contextlib, io, json, sys
from autograder.cli.main import main

seen = []
for arguments in json.load(sys.stdin):
    said, code = io.StringIO(), 0
    sys.argv = ["course", *arguments]
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        try:
            main()
        except SystemExit as stop:
            code = stop.code
    loaded = [name for name in {HEAVY} if name in sys.modules and name not in seen]
    seen += loaded
    print(json.dumps([code, said.getvalue(), loaded]))
"""
NEVER_A_CLASS = "is not a class directory: make one with `course init"
NO_UNIT = "there is no unit '99'; the units are: 00_start_here"

ANSWERS = [
    (["--help"], "Your class, step by step"),
    (["--version"], "transformer-course "),
    (["grade", "--help"], "Grade every submission of a unit"),
    (["init", "new"], "Made the class directory new"),
    (["roster", "class", "people.csv"], "1 added, 0 changed, 0 as before"),
    (["export", "class", "--to", "moodle"], "Wrote the scores of 2 students to scores-moodle.csv"),
    (["history", "class", "01", "ada"], "the first grade"),
]
MISTAKES = [
    (["init", "class"], "class is a class directory already"),
    (["init", "new", "--db", "nonsense"], "the gradebook could not be made"),
    (["roster", "nowhere", "people.csv"], NEVER_A_CLASS),
    (["roster", "class", "nowhere.csv"], "nowhere.csv is missing"),
    (["roster", "class", "people.csv", "--id", "Login"], "people.csv has no column 'Login'"),
    (["release", "nowhere", "01"], NEVER_A_CLASS),
    (["release", "class", "99"], NO_UNIT),
    (["release", "class", "01", "--due", "tomorrow"], "'tomorrow' is not a date"),
    (["collect", "nowhere", "01", "people.csv"], NEVER_A_CLASS),
    (["collect", "class", "99", "people.csv"], NO_UNIT),
    (["collect", "class", "01", "nowhere.zip"], "there is no file or folder nowhere.zip"),
    (["collect", "class", "01", "people.csv", "--pattern", "("], "the pattern ( is not a regular expression"),
    (["grade", "nowhere", "01"], NEVER_A_CLASS),
    (["grade", "class", "99"], NO_UNIT),
    (["grade", "class", "00"], "unit 00 has not been released"),
    (["grade", "class", "01", "--sandbox", "foo"], "the sandbox can be bwrap or none, not 'foo'"),
    (["grade", "class", "01", "--workers", "none"], "Invalid value for '--workers'"),
    (["grade", "class", "01", "--timeout", "0"], "Invalid value for '--timeout'"),
    (["grade", "class", "01", "--json", "class"], "class is a folder: name the file to write"),
    (["grade", "class", "01", "--json", "nowhere/a.json"], "there is no folder nowhere, so make it first"),
    (["grade", "class", "01", "--scheduler", "foo"], "'foo' is not the address of a Dask scheduler"),
    (["feedback", "nowhere", "01"], NEVER_A_CLASS),
    (["feedback", "class", "99"], NO_UNIT),
    (["report", "nowhere"], NEVER_A_CLASS),
    (["report", "class", "99"], NO_UNIT),
    (["export", "nowhere"], NEVER_A_CLASS),
    (["export", "class", "--to", "excel"], "scores can be exported to csv, canvas, moodle, not to 'excel'"),
    (["export", "class", "-o", "class"], "class is a folder: name the file to write"),
    (["history", "nowhere", "01", "ada"], NEVER_A_CLASS),
    (["history", "class", "99", "ada"], NO_UNIT),
    (["history", "class", "01", "eve"], "eve has no grade in unit 01"),
    (["history", "class", "01", "a/b"], "'a/b' cannot be a student id"),
    (["worker", "foo"], "'foo' is not the address of a Dask scheduler"),
    (["lab", "99"], NO_UNIT),
    (["lab", "--new"], "--new needs the unit"),
    (["lab", "01", "--folder", "people.csv"], "people.csv cannot hold your copies of the notebooks"),
    (["lab", "01", "--port", "70000"], "Invalid value for '--port'"),
    (["check", "nowhere.ipynb"], "nowhere.ipynb cannot be read: there is no such file"),
    (["check", "class"], "class is a folder, expected a file: put a file in its place"),
    (["check", "people.csv"], "people.csv cannot be checked: the file is not a complete notebook"),
    (["check", "--full", "nowhere.ipynb"], "nowhere.ipynb cannot be read"),
    (["check", "--full", "blank.ipynb", "--sandbox", "foo"], "the sandbox can be bwrap or none, not 'foo'"),
    (["check", "--full", "blank.ipynb", "--json", "class"], "class is a folder: name the file to write"),
    (["demo", "--folder", "class"], "is not empty: name a folder that does not exist yet"),
    (["doctor", "nowhere"], NEVER_A_CLASS),
    (["build", "--solutions", "people.csv"], "a file could not be read or written"),
    (["no-such-command"], "No such command 'no-such-command'"),
]


@pytest.fixture(scope="module")
def graded(released_class, unit, tmp_path_factory):
    """A folder with a class in which ada and bob are graded, a roster, and a notebook without exercises."""
    folder = tmp_path_factory.mktemp("light")
    shutil.copytree(released_class.root, folder / "class")
    (folder / "people.csv").write_text("id,name\neve,Eve Early\n", "utf-8")
    (folder / "blank.ipynb").write_text('{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": []}', "utf-8")
    directory = ClassDirectory(folder / "class")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(worker_pool, "grade_here", quick_grading)
        for student in ("ada", "bob"):
            hand_in(directory, unit, student)
        grade(directory, unit)
    return folder


def run(folder, commands):
    """Run commands one after another in one process: of each the exit code, what it says and what it loads."""
    done = subprocess.run(
        [sys.executable, "-c", RUN],
        input=json.dumps(commands),
        cwd=folder,
        env=os.environ | {"COLUMNS": "300"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.fixture(scope="module")
def told(graded):
    """What is said of each mistake, none of which changes anything."""
    commands = [arguments for arguments, _ in MISTAKES]
    return dict(zip(map(shlex.join, commands), run(graded, commands), strict=True))


def named(case):
    return shlex.join(case) if isinstance(case, list) else ""


@pytest.mark.parametrize(("arguments", "answer"), ANSWERS, ids=named)
def test_it_answers_at_once(graded, tmp_path, arguments, answer):
    shutil.copytree(graded, tmp_path, dirs_exist_ok=True)
    ((code, said, loaded),) = run(tmp_path, [arguments])
    assert code == 0, said
    assert answer in said
    assert loaded == []


@pytest.mark.parametrize(("arguments", "sentence"), MISTAKES, ids=named)
def test_a_mistake_is_told_at_once(told, arguments, sentence):
    code, said, loaded = told[shlex.join(arguments)]
    assert code in (1, 2)
    assert sentence in said
    assert "Traceback" not in said
    assert loaded == []


def test_it_runs_as_a_module_too():
    done = subprocess.run(
        [sys.executable, "-m", "autograder", "--version"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("transformer-course ")


def test_nbgrader_is_whole_for_whoever_asks():
    """What its `__init__` defines is there when it is wanted, as Jupyter's server does."""
    code = (
        "import sys, autograder.cli.main, nbgrader.api; assert 'nbgrader.server_extensions' not in sys.modules; "
        "print(nbgrader.__version__, nbgrader._jupyter_server_extension_points(), hasattr(nbgrader, 'nonsense')); "
        "assert nbgrader.api is sys.modules['nbgrader.api']; import nbgrader.server_extensions.formgrader"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("[{'module': 'nbgrader'}] False\n")
