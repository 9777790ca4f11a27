"""Stock nbgrader in a class directory: the same scores, the Validate button and the formgrader."""

import csv
import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import pytest
from nbgrader.api import Gradebook
from nbgrader.validator import Validator

from autograder.classroom.directory import ClassDirectory
from autograder.course.notebooks import student_notebook, write_notebook
from autograder.demo.stories import fill_in

pytestmark = pytest.mark.xdist_group("class")

BARE_CONFIG = "c = get_config()\nc.CourseDirectory.course_id = 'class'\n"
MANUAL = "explain_attention_matrix"
BIN = Path(sys.executable).parent


def nbgrader(root, *arguments):
    path = os.pathsep.join([str(BIN), os.environ["PATH"]])
    return subprocess.run(
        [BIN / "nbgrader", *arguments], cwd=root, env=os.environ | {"PATH": path}, capture_output=True, text=True
    )


def scores(directory, unit):
    with Gradebook(f"sqlite:///{directory}/gradebook.db", "class") as gradebook:
        return {s.student.id: s.score for s in gradebook.assignment_submissions(unit.full_name)}


def waiting(directory, unit):
    """Whose answers wait for a person: a rubric alone is no reason to."""
    with Gradebook(f"sqlite:///{directory}/gradebook.db", "class") as gradebook:
        return {s.student.id for s in gradebook.assignment_submissions(unit.full_name) if s.needs_manual_grade}


@pytest.mark.parametrize("config", ["the class's own", "nbgrader's defaults"])
def test_stock_autograde_gives_the_same_scores(honest_class, graded_class, unit, tmp_path, config):
    root = tmp_path / "class"
    shutil.copytree(honest_class.root, root)
    if config == "nbgrader's defaults":
        (root / "nbgrader_config.py").write_text(BARE_CONFIG)
    run = nbgrader(root, "autograde", unit.full_name)
    assert run.returncode == 0, run.stderr
    stock = scores(root, unit)
    sealed = {student: graded_class.results[student]["score"] for student in stock}
    if config == "nbgrader's defaults":  # which know no follow-through marking
        followed = {
            student for student in stock if any(e["followed"] for e in graded_class.results[student]["exercises"])
        }
        assert followed == {"no-scale"}
        assert stock.pop("no-scale") < sealed.pop("no-scale")
    assert stock == sealed
    run = nbgrader(root, "generate_feedback", unit.full_name)
    assert run.returncode == 0, run.stderr
    assert len(list(root.glob(f"feedback/*/{unit.full_name}/*.html"))) == 5
    run = nbgrader(root, "export", "--to=scores.csv")
    assert run.returncode == 0, run.stderr
    with (root / "scores.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["assignment"] == unit.full_name]
    assert {row["student_id"]: float(row["score"]) for row in rows} == scores(root, unit)
    assert {float(row["max_score"]) for row in rows} == {40}  # the rubric is worth nothing of its own
    if config == "the class's own":
        answered = {student for student in stock if graded_class.exercise(student, MANUAL)["status"] != "not tried"}
        assert waiting(root, unit) == answered
        assert answered < set(stock)


def test_stock_release_makes_the_committed_notebook(honest_class, unit, tmp_path):
    root = tmp_path / "class"
    shutil.copytree(honest_class.root, root)
    (root / "nbgrader_config.py").write_text(BARE_CONFIG)
    run = nbgrader(root, "generate_assignment", unit.full_name, "--force")
    assert run.returncode == 0, run.stderr
    assert (root / "release" / unit.full_name / unit.notebook.name).read_bytes() == unit.notebook.read_bytes()


def test_validate_fails_on_the_stub_and_passes_on_the_solution(unit, answers, tmp_path):
    blank, solved = tmp_path / "blank.ipynb", tmp_path / "solved.ipynb"
    blank.write_text(write_notebook(student_notebook(unit)), "utf-8")
    solved.write_text(write_notebook(fill_in(student_notebook(unit), answers)), "utf-8")
    failed = Validator().validate(str(blank))["failed"]
    assert len(failed) == len(answers)
    assert "is not written yet" in next(f["raw_error"] for f in failed if '"gram_attention"' in f["source"])
    assert Validator().validate(str(solved)) == {}


@contextmanager
def jupyter_server(root):
    """A real server on this machine, with nbgrader's extensions, in a class directory."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    arguments = ["--no-browser", "--allow-root", "--ip=127.0.0.1", f"--port={port}", "--IdentityProvider.token=secret"]
    with (root / "server.log").open("w") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "jupyter", "lab", *arguments], cwd=root, stdout=log, stderr=subprocess.STDOUT
        )
        try:
            yield Server(process, f"http://127.0.0.1:{port}", root / "server.log")
        finally:
            process.terminate()
            process.wait()


class Server:
    def __init__(self, process, address, log):
        self.address = address
        deadline = time.monotonic() + 180
        while True:
            try:
                self.get("/api/status")
                return
            except urllib.error.URLError:
                assert process.poll() is None, log.read_text()
                assert time.monotonic() < deadline, log.read_text()
                time.sleep(0.2)

    def get(self, path, data=None):
        headers = {"Authorization": "token secret"}
        request = urllib.request.Request(self.address + path, data=data, headers=headers)
        with urllib.request.urlopen(request, timeout=120) as reply:
            return reply.read().decode()


def test_formgrader_and_validate_button_answer(graded_class, unit, answers, tmp_path):
    copy = ClassDirectory(tmp_path / "class")
    shutil.copytree(graded_class.directory.root, copy.root)
    solved = copy.root / "solved.ipynb"
    solved.write_text(write_notebook(fill_in(student_notebook(unit), answers)), "utf-8")
    with jupyter_server(copy.root) as server:
        (assignment,) = json.loads(server.get("/formgrader/api/assignments"))
        assert assignment["name"] == unit.full_name
        assert assignment["max_score"] == 40
        submissions = json.loads(server.get(f"/formgrader/api/submissions/{unit.full_name}"))
        by_student = {submission["student"]: submission for submission in submissions}
        assert by_student["perfect"]["score"] == 36
        assert by_student["perfect"]["needs_manual_grade"]
        page = server.get("/formgrader/manage_assignments")
        assert "formgrader" in page.lower()
        notebooks = f"/formgrader/api/submitted_notebooks/{unit.full_name}/{unit.notebook.stem}"
        wanted = next(n for n in json.loads(server.get(notebooks)) if n["student"] == "perfect")
        graded = server.get(f"/formgrader/submissions/{wanted['id']}/")
        assert "Each row of A says how one token shares its attention" in graded
        assert "One point each for" in graded  # the rubric
        verdict = json.loads(server.get("/assignments/validate", b"path=solved.ipynb"))
        assert verdict["success"], verdict
        assert verdict["value"] == {}
