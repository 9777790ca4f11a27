"""A class on a Dask cluster, with workers and a scheduler that are killed; and a gradebook in PostgreSQL."""

import json
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest
from builders.programs import end, postgresql, running
from builders.submissions import put_submission

from autograder.classroom.directory import ClassDirectory, init_class
from autograder.classroom.release import release_unit
from autograder.course.cells import grade_id, is_answer
from autograder.course.notebooks import solution_notebook, student_notebook
from autograder.course.units import find_unit
from autograder.demo.stories import fill_in
from autograder.grading.grade_class import grade_class
from autograder.grading.worker_pool import local_workers

pytestmark = pytest.mark.xdist_group("cluster")

UNIT = find_unit("00")
BIN = Path(sys.executable).parent


def hand_in(directory, count):
    blank = student_notebook(UNIT)
    answers = {grade_id(cell): cell.source for cell in solution_notebook(UNIT).cells if is_answer(cell)}
    for number in range(count):
        notebook = fill_in(blank, dict(list(answers.items())[: number % (len(answers) + 1)]))
        notebook.metadata["student"] = number  # no two are alike
        put_submission(directory, UNIT, f"student-{number}", notebook)


@pytest.fixture(scope="module")
def handed_in(tmp_path_factory):
    directory = init_class(tmp_path_factory.mktemp("cluster") / "class")
    release_unit(directory, UNIT)
    hand_in(directory, count=12)
    return directory


@pytest.fixture
def copied(handed_in, tmp_path):
    shutil.copytree(handed_in.root, tmp_path / "class")
    return ClassDirectory(tmp_path / "class")


def scores(results):
    return {result.student: (result.score, result.seed) for result in results}


@pytest.fixture(scope="module")
def graded_here(handed_in, tmp_path_factory):
    root = tmp_path_factory.mktemp("here") / "class"
    shutil.copytree(handed_in.root, root)
    here = scores(grade_class(ClassDirectory(root), UNIT, workers=local_workers(1)))
    assert len({score for score, _ in here.values()}) > 3
    return here


@contextmanager
def scheduler():
    command = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0"]
    with running([*command, "--no-dashboard"], r"Scheduler at:\s+(tcp://127\.0\.0\.1:\d+)") as (process, found):
        yield process, found[1]


@contextmanager
def worker(address):
    with running([BIN / "course", "worker", address, "--workers", "1"], r"Registered to:") as (process, _):
        yield process


@contextmanager
def grading(directory, address):
    """`course grade` on the cluster, once it has shown a first result."""
    command = [BIN / "course", "grade", directory.root, UNIT.id, "--scheduler", address]
    with running([*command, "--json", directory.root / "results.jsonl"], r"student-\d+: ") as (process, _):
        yield process


def written(directory):
    lines = (directory.root / "results.jsonl").read_text("utf-8").splitlines()
    return {result["student"]: (result["score"], result["seed"]) for result in map(json.loads, lines)}


def test_a_cluster_gives_the_same_results_and_survives_a_killed_worker(copied, graded_here):
    with scheduler() as (_, address), worker(address) as first, worker(address), grading(copied, address) as process:
        end(first)
        process.stdout.read()
        assert process.wait() == 0
    assert written(copied) == graded_here


def test_a_killed_scheduler_stops_the_run_and_another_goes_on(copied, graded_here):
    with scheduler() as (killed, address), worker(address), grading(copied, address) as process:
        killed.kill()
        said = process.stdout.read()
        assert process.wait() == 1
    assert "the Dask scheduler was lost: start it and grade again to go on" in said
    assert scores(grade_class(copied, UNIT, workers=local_workers(1))) == graded_here


def test_a_cluster_that_is_not_there_is_said_in_a_sentence(copied, course):
    for address, sentence in {
        "tcp://127.0.0.1:1": "no Dask scheduler answers at tcp://127.0.0.1:1",
        "nonsense": "'nonsense' is not the address of a Dask scheduler",
    }.items():
        code, printed = course("grade", copied.root, UNIT.id, "--scheduler", address)
        assert code == 1
        assert sentence in printed
    with scheduler() as (_, address):
        command = [BIN / "course", "grade", copied.root, UNIT.id, "--scheduler", address]
        refused = subprocess.run(command, capture_output=True, text=True)
    assert refused.returncode == 1
    assert f"start some with `course worker {address}`" in refused.stderr


def test_the_gradebook_may_be_in_postgresql(tmp_path, course):
    with postgresql(tmp_path / "pg") as url:
        code, printed = course("init", tmp_path / "class", "--db", url)
        assert code == 0, printed
        directory = ClassDirectory(tmp_path / "class")
        release_unit(directory, UNIT)
        hand_in(directory, count=2)
        first = scores(grade_class(directory, UNIT, workers=local_workers(1)))
        with directory.gradebook() as gradebook:
            recorded = {s.student.id: s.score for s in gradebook.assignment_submissions(UNIT.full_name)}
        assert recorded == {student: score for student, (score, _) in first.items()}
        assert not (directory.root / "gradebook.db").exists()
    code, printed = course("init", tmp_path / "other", "--db", url)
    assert code == 1
    assert "the gradebook could not be made" in printed
    assert not (tmp_path / "other").exists()
