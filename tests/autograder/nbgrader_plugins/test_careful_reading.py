"""`nbgrader autograde` in a class directory reads what `course grade` reads: one that is refused costs no other."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from builders.submissions import put_submission

from autograder.course.notebooks import student_notebook

pytestmark = pytest.mark.slow


def autograde(directory, unit):
    command = [Path(sys.executable).parent / "nbgrader", "autograde", unit.full_name]
    done = subprocess.run(command, cwd=directory.root, capture_output=True, text=True, timeout=300)
    return done.returncode, done.stdout + done.stderr


def test_files_that_are_no_files_are_passed_over_and_said(needs_sandbox, directory, unit):
    put_submission(directory, unit, "ada", student_notebook(unit))
    odd = json.dumps(student_notebook(unit) | {"metadata": None}).encode()
    put_submission(directory, unit, "odd", odd)
    pipe = put_submission(directory, unit, "pipe", b"")
    pipe.unlink()
    os.mkfifo(pipe)
    link = put_submission(directory, unit, "link", b"")
    link.unlink()
    link.symlink_to(directory.source(unit))
    stamp = put_submission(directory, unit, "stamp", student_notebook(unit)).with_name("timestamp.txt")
    stamp.write_bytes(b"\xff\xfe")
    beside = put_submission(directory, unit, "beside", student_notebook(unit)).with_name("data.csv")
    beside.symlink_to(directory.root / "secret.key")
    code, printed = autograde(directory, unit)
    assert code == 0, printed
    assert "Traceback" not in printed
    for student in ("pipe", "link", "stamp", "beside"):
        assert f"{student} is not graded: " in printed
    assert {path.parts[-3] for path in directory.root.glob("autograded/*/*/*.ipynb")} == {"ada", "odd"}
    repaired = json.loads(directory.autograded("odd", unit).read_text("utf-8"))["cells"][0]["source"]
    assert "this notebook was repaired" in "".join(repaired)


def test_where_nothing_is_left_it_fails_with_a_sentence(directory, unit):
    pipe = put_submission(directory, unit, "pipe", b"")
    shutil.rmtree(pipe.parent)
    pipe.parent.symlink_to(directory.source(unit).parent)
    code, printed = autograde(directory, unit)
    assert code != 0
    assert "pipe is not graded: " in printed
