"""What goes wrong while a class is graded costs nothing but time: a second run ends as an undisturbed one does."""

import contextlib
import fcntl
import json
import multiprocessing
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from builders.quick_class import hand_in, quick_grading, threads

from autograder.classroom.directory import ClassDirectory, init_class
from autograder.classroom.lock import LOCK
from autograder.classroom.release import release_unit
from autograder.course.submitted_notebook import read_notebook
from autograder.course.units import ROOT, find_unit
from autograder.errors import CourseError
from autograder.examiner.assignment import Assignment
from autograder.exams import UNITS
from autograder.gradebook.record_files import all_grades, read_history, read_record
from autograder.grading import worker_pool
from autograder.grading.grade_class import grade_class
from autograder.grading.worker_pool import Job, local_workers, run_jobs

UNIT = find_unit("00")
STUDENTS = 12


def unhurried_grading(data, assignment, seed):
    """In place of the real thing: a score that depends on the submission alone, after a moment."""
    time.sleep(0.02)
    return quick_grading(data, assignment, seed)


@pytest.fixture(scope="module")
def handed_in(tmp_path_factory):
    directory = init_class(tmp_path_factory.mktemp("faults") / "class")
    release_unit(directory, UNIT)
    for number in range(STUDENTS):
        misses = [exam.exercise for place, exam in enumerate(UNITS[UNIT.id]) if (number + place) % 3 == 0]
        hand_in(directory, UNIT, f"student-{number:02}", misses=misses, number=number)
    return directory


@pytest.fixture
def a_class(handed_in, tmp_path, monkeypatch):
    monkeypatch.setattr(worker_pool, "grade_here", unhurried_grading)
    shutil.copytree(handed_in.root, tmp_path / "class")
    return ClassDirectory(tmp_path / "class")


def grade(directory):
    return {result.student: result.score for result in grade_class(directory, UNIT, sandbox="none", workers=threads)}


def in_gradebook(directory):
    with directory.gradebook() as gradebook:
        return {s.student.id: s.score for s in gradebook.assignment_submissions(UNIT.full_name)}


@pytest.fixture
def undisturbed(a_class, tmp_path):
    shutil.copytree(a_class.root, tmp_path / "undisturbed")
    scores = grade(ClassDirectory(tmp_path / "undisturbed"))
    assert len(scores) == STUDENTS
    assert len(set(scores.values())) > 1
    return scores


def test_a_coordinator_killed_at_any_moment_leaves_whole_grades(a_class, undisturbed):
    """Twenty times in one class: after each, the gradebook and every file can be read; then a last run ends well."""
    moments = random.Random(0)
    fork = multiprocessing.get_context("fork")
    finished = 0
    for moment in sorted(moments.uniform(0.0, 0.5) for _ in range(20)):  # the first are too short for a whole run
        coordinator = fork.Process(target=grade, args=(a_class,))
        coordinator.start()
        coordinator.join(moment)
        finished += coordinator.exitcode == 0
        if coordinator.is_alive():
            os.kill(coordinator.pid, signal.SIGKILL)
            coordinator.join()
        assert in_gradebook(a_class).items() <= undisturbed.items()
        for path in a_class.root.glob("results/*/*.json"):
            json.loads(path.read_text("utf-8"))
        for path in a_class.root.glob("autograded/*/*/*.ipynb"):
            read_notebook(path.read_bytes())
    assert finished < 20
    assert grade(a_class) == undisturbed
    assert in_gradebook(a_class) == undisturbed


def test_a_regrade_killed_at_any_moment_keeps_each_earlier_grade_once(a_class, undisturbed, monkeypatch):
    grade(a_class)
    students = a_class.students(UNIT)
    first = {student: read_record(a_class, UNIT, student) for student in students}
    monkeypatch.setattr("autograder.grading.provenance.exam_digest", lambda unit: "another exam")
    moments = random.Random(1)
    fork = multiprocessing.get_context("fork")
    cut_short = 0
    for moment in sorted(moments.uniform(0.0, 0.4) for _ in range(20)):
        coordinator = fork.Process(target=grade, args=(a_class,))
        coordinator.start()
        coordinator.join(moment)
        if coordinator.is_alive():
            cut_short += 1
            os.kill(coordinator.pid, signal.SIGKILL)
            coordinator.join()
        for student in students:
            assert all_grades(a_class, UNIT, student)[0] == first[student]
    assert cut_short
    assert grade(a_class) == undisturbed
    for student in students:
        assert read_history(a_class, UNIT, student) == [first[student]]
        assert read_record(a_class, UNIT, student).made.parts.exam == "another exam"


def test_a_second_run_grades_only_what_is_left(a_class, undisturbed, monkeypatch):
    first = dict(zip(range(5), grade_class(a_class, UNIT, sandbox="none", workers=threads), strict=False))
    assert len(first) == 5
    graded = []
    monkeypatch.setattr(worker_pool, "grade_here", lambda *a: graded.append(1) or unhurried_grading(*a))
    assert grade(a_class) == undisturbed
    assert len(graded) <= STUDENTS - 5


def test_two_graders_keep_apart(a_class):
    with (a_class.root / LOCK).open("a+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.write("ada on analytical, process 1843, grading since 10:00")
        file.flush()
        with pytest.raises(CourseError, match=r"someone else is at work in .*: ada on analytical"):
            grade(a_class)
    assert len(grade(a_class)) == STUDENTS


def test_a_submission_replaced_while_it_is_graded_is_graded_again(a_class, undisturbed, monkeypatch):
    paths = [a_class.submission(student, UNIT) for student in ("student-00", "student-01")]

    def replacing(data, assignment, seed):
        if data == paths[0].read_bytes():
            paths[0].write_bytes(paths[1].read_bytes())
        return unhurried_grading(data, assignment, seed)

    monkeypatch.setattr(worker_pool, "grade_here", replacing)
    assert grade(a_class) == undisturbed
    again = grade(a_class)
    assert again["student-00"] == undisturbed["student-01"]


def test_a_locked_gradebook_stops_the_run_with_a_sentence(a_class, undisturbed):
    grade_one = grade_class(a_class, UNIT, sandbox="none", workers=threads)
    next(grade_one)
    with contextlib.closing(sqlite3.connect(a_class.root / "gradebook.db")) as other:
        other.execute("begin exclusive")
        with pytest.raises(CourseError, match=r"grading stopped.*database is locked"):
            list(grade_one)
    assert grade(a_class) == undisturbed


def test_a_damaged_gradebook_is_said_in_a_sentence(a_class):
    (a_class.root / "gradebook.db").write_bytes(b"not a database" * 1000)
    with pytest.raises(CourseError, match="file is not a database"):
        grade(a_class)


@pytest.mark.skipif(shutil.which("unshare") is None, reason="needs a file system of its own")
def test_a_full_disk_stops_the_run_and_the_next_one_goes_on(a_class, undisturbed, tmp_path):
    script = (
        "import sys; sys.path[:0] = sys.argv[1].split(':')\n"
        "import shutil, pathlib, test_worker_pool as t\n"
        "from autograder.grading import worker_pool\n"
        "from autograder.classroom.directory import ClassDirectory\n"
        "worker_pool.grade_here = t.unhurried_grading\n"
        "root = pathlib.Path(sys.argv[3])\n"
        "shutil.copytree(sys.argv[2], root / 'class')\n"
        "filler = root / 'filler'\n"
        "filler.write_bytes(b'x' * (shutil.disk_usage(root).free - 150_000))\n"
        "directory = ClassDirectory(root / 'class')\n"
        "try:\n"
        "    t.grade(directory)\n"
        "except t.CourseError as error:\n"
        "    print('stopped:', error)\n"
        "assert len(t.in_gradebook(directory)) < t.STUDENTS\n"
        "filler.unlink()\n"
        "print('again:', dict(sorted(t.grade(directory).items())))\n"
    )
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = f'mount -t tmpfs -o size=6m tmpfs {disk} && exec "$@"'
    here = f"{Path(__file__).parent}:{ROOT / 'tests'}"
    command = ["unshare", "--map-root-user", "--mount", "sh", "-c", mount, "sh", sys.executable, "-c", script]
    done = subprocess.run([*command, here, str(a_class.root), str(disk)], capture_output=True, text=True)
    assert "stopped: grading stopped" in done.stdout, done.stdout + done.stderr
    assert f"again: {dict(sorted(undisturbed.items()))}" in done.stdout


def test_the_clock_may_go_back(a_class, undisturbed, monkeypatch):
    clock = iter(range(2_000_000_000, 0, -1000))
    monkeypatch.setattr(time, "time", lambda: float(next(clock)))
    assert grade(a_class) == undisturbed


def die(data, assignment, seed):
    """Takes its worker down, the first time or always."""
    marker, forever = data.decode().split()
    if forever == "always" or not Path(marker).exists():
        Path(marker).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return seed


@pytest.mark.parametrize("forever", ["once", "always"])
@pytest.mark.parametrize("workers", [1, 2])
def test_a_worker_that_is_killed_costs_at_most_its_own_submission(tmp_path, monkeypatch, forever, workers):
    monkeypatch.setattr(worker_pool, "grade_here", die)
    jobs = [Job("victim", f"{tmp_path}/marker {forever}".encode(), "0", "a")]
    (tmp_path / "done").touch()
    jobs += [Job(f"other-{n}", f"{tmp_path}/done once".encode(), str(n), str(n)) for n in range(3)]
    outcomes = {
        job.student: outcome
        for job, outcome in run_jobs(jobs, Assignment(UNIT, b"", b"", "none"), local_workers(workers))
    }
    assert {student: outcome for student, outcome in outcomes.items() if student != "victim"} == {
        f"other-{n}": str(n) for n in range(3)
    }
    gave_up = "the worker or the sandbox ended each of the 3 times that it was graded"
    assert outcomes["victim"] == ("0" if forever == "once" else gave_up)
