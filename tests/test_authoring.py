"""The worked example of docs/authoring.md, carried out line by line in a copy of the repository."""

import os
import re
import shlex
import subprocess
import sys

import pytest

from autograder.course.units import ROOT

RULES = "announced or hints or short"
BLOCK = r"```\w*\n(.*?)```"
STEPS = re.compile(
    rf"(?P<what>Create|Append to|In) `(?P<path>[^`]+)`(?::|, replace)\n\n{BLOCK}(?:\n\nby\n\n{BLOCK})?", re.DOTALL
)


@pytest.fixture(scope="module")
def repository(tmp_path_factory):
    """A copy of what git tracks, with the steps of the example applied."""
    copy = tmp_path_factory.mktemp("authoring")
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, tracked.split("\0")):
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        (copy / name).write_bytes((ROOT / name).read_bytes())
    example = (ROOT / "docs" / "authoring.md").read_text("utf-8").partition("## A new exercise in ten minutes")[2]
    steps = list(STEPS.finditer(example))
    assert len(steps) == 6
    for step in steps:
        path, (first, second) = copy / step["path"], step.groups()[2:]
        if step["what"] == "Create":
            assert not path.exists()
            path.write_text(first, "utf-8")
        elif step["what"] == "Append to":
            path.write_text(path.read_text("utf-8") + "\n" + first, "utf-8")
        else:
            text = path.read_text("utf-8")
            assert text.count(first) == 1, f"{step['path']} has {text.count(first)} times: {first}"
            path.write_text(text.replace(first, second), "utf-8")
    return copy


def run(repository, *command):
    env = os.environ | {"PYTHONPATH": str(repository)}
    return subprocess.run([sys.executable, *command], cwd=repository, env=env, capture_output=True, text=True)


def test_every_command_of_the_example_works(repository):
    text = (ROOT / "docs" / "authoring.md").read_text("utf-8")
    commands = re.search(r"```console\n(.*?)```", text, re.DOTALL)[1].splitlines()
    assert commands == ["course build", "course audit mean_pool"]
    for command in commands:
        done = run(repository, "-c", "from autograder.cli.main import main; main()", *shlex.split(command)[1:])
        assert done.returncode == 0, done.stdout + done.stderr
        if "audit" in command:
            assert re.search(r"✓ mean_pool +5/5 +5/5 +4/4 +200/200", done.stdout), done.stdout
    assert "mean_pool" in (repository / "notebooks" / "01_cross_attention_shapes.ipynb").read_text("utf-8")


def test_the_new_exercise_keeps_the_rules_of_the_house(repository):
    run(repository, "-c", "from autograder.cli.main import main; main()", "build")
    done = run(
        repository,
        "-m",
        "pytest",
        "-q",
        "tests/autograder/authoring/test_build.py",
        "-k",
        "announced or hints or short",
    )
    assert done.returncode == 0, done.stdout
    formatted = run(
        repository, "-m", "ruff", "check", "course_lib/nn/pooling.py", "autograder/exams/unit_01/pooling.py"
    )
    assert formatted.returncode == 0, formatted.stdout
