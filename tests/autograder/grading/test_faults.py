"""Disks, databases and networks that fail while a class is graded: a sentence, and a next run that ends well."""

import errno
import multiprocessing
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path

import pytest
from builders.programs import postgresql
from builders.quick_class import grade as grade_quickly
from builders.quick_class import hand_in, quick_grading, threads
from needs import needs_mounts

from autograder.classroom.directory import ClassDirectory, init_class
from autograder.classroom.release import release_unit
from autograder.course.units import ROOT, find_unit
from autograder.errors import CourseError
from autograder.exams import UNITS
from autograder.gradebook.record_files import all_grades, read_history
from autograder.grading import worker_pool
from autograder.grading.grade_class import grade_class

UNIT = find_unit("00")
STUDENTS = 6


@pytest.fixture(autouse=True)
def _graded_in_no_time(monkeypatch):
    monkeypatch.setattr(worker_pool, "grade_here", quick_grading)


def fill(directory):
    release_unit(directory, UNIT)
    for number in range(STUDENTS):
        misses = [exam.exercise for place, exam in enumerate(UNITS[UNIT.id]) if (number + place) % 3 == 0]
        hand_in(directory, UNIT, f"student-{number}", misses=misses, number=number)
    return directory


@pytest.fixture
def a_class(tmp_path):
    return fill(init_class(tmp_path / "class"))


@pytest.fixture
def undisturbed(a_class, tmp_path):
    shutil.copytree(a_class.root, tmp_path / "undisturbed")
    return grade(ClassDirectory(tmp_path / "undisturbed"))


def grade(directory):
    return {student: result.score for student, result in grade_quickly(directory, UNIT).items()}


def require_graded_once(directory, undisturbed):
    assert grade(directory) == undisturbed
    with directory.gradebook() as gradebook:
        scores = {s.student.id: s.score for s in gradebook.assignment_submissions(UNIT.full_name)}
    assert scores == undisturbed
    assert all(len(all_grades(directory, UNIT, student)) == 1 for student in undisturbed)


@pytest.mark.parametrize("nth", range(0, 3 * STUDENTS, 4))
def test_a_disk_that_is_full_at_any_write_stops_the_run_and_costs_no_grade(a_class, undisturbed, monkeypatch, nth):
    fsync, writes = os.fsync, iter(range(1000))

    def full_at_the_nth(descriptor):
        if next(writes) == nth:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", full_at_the_nth)
    with pytest.raises(CourseError, match=r"grading stopped.*No space left on device.*what is recorded is kept"):
        grade(a_class)
    require_graded_once(a_class, undisturbed)


def test_a_slow_file_system_changes_nothing(a_class, undisturbed, monkeypatch):
    fsync, slow_open = os.fsync, Path.open

    def after_a_while(call):
        def slow(*arguments, **options):
            time.sleep(0.01)  # the fault
            return call(*arguments, **options)

        return slow

    monkeypatch.setattr(os, "fsync", after_a_while(fsync))
    monkeypatch.setattr(Path, "open", after_a_while(slow_open))
    require_graded_once(a_class, undisturbed)


def test_of_two_graders_at_once_one_is_told_who_the_other_is(a_class, undisturbed, tmp_path):
    fork = multiprocessing.get_context("fork")
    together = fork.Barrier(2)

    def grader(file):
        together.wait()
        try:
            file.write_text(f"graded {len(grade(a_class))}")
        except CourseError as error:
            file.write_text(str(error))

    files = [tmp_path / "one", tmp_path / "other"]
    graders = [fork.Process(target=grader, args=(file,)) for file in files]
    for process in graders:
        process.start()
    for process in graders:
        process.join()
    said = sorted(file.read_text() for file in files)
    assert said[0] == f"graded {STUDENTS}"
    assert said[1] == said[0] or "someone else is at work in" in said[1]
    require_graded_once(a_class, undisturbed)


def test_a_file_system_without_locks_is_said_to_have_none(a_class, monkeypatch):
    def none(*given):
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr("fcntl.flock", none)
    with pytest.raises(CourseError, match=r"course\.lock cannot be locked \(No locks available\)"):
        grade(a_class)


def test_a_clock_that_goes_back_between_two_grades_keeps_their_order(a_class, undisturbed, monkeypatch):
    grade(a_class)
    monkeypatch.setattr("autograder.grading.provenance.exam_digest", lambda unit: "another exam")

    class Earlier(datetime):
        @classmethod
        def now(cls, tz=None):
            return cls(2001, 1, 1)

    monkeypatch.setattr("autograder.grading.grade_class.datetime", Earlier)
    assert grade(a_class) == undisturbed
    for student in undisturbed:
        first, last = all_grades(a_class, UNIT, student)
        assert (first.made.parts.exam == "another exam", last.made.parts.exam) == (False, "another exam")
        assert last.made.time.startswith("2001")
        assert read_history(a_class, UNIT, student) == [first]


READ_ONLY = """
import sys; sys.path[:0] = sys.argv[1].split(':')
from builders.course_command import run_course
for command in (["grade", sys.argv[2], "00", "--sandbox", "none"], ["report", sys.argv[2], "00"]):
    print(command[0], "ends with", run_course(*command), file=sys.stderr)
"""


@pytest.mark.parametrize("what", [".", "gradebook.db"])
def test_what_can_only_be_read_is_said_in_a_sentence(a_class, what):
    needs_mounts()
    grade(a_class)
    for student in ("student-0", "student-1"):
        hand_in(a_class, UNIT, student, words="Another sentence.")
    path = a_class.root / what
    mount = f"mount --bind '{path}' '{path}' && mount -o remount,ro,bind '{path}' && exec \"$@\""
    program = [sys.executable, "-c", READ_ONLY, str(ROOT / "tests"), str(a_class.root)]
    command = ["unshare", "--map-root-user", "--mount", "sh", "-c", mount, "sh", *program]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert "grade ends with 1" in done.stderr, done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    assert "Read-only file system" in done.stderr or "readonly database" in done.stderr


@pytest.mark.parametrize("command", ["grade", "report", "feedback", "export"])
def test_a_gradebook_that_is_damaged_inside_is_said_in_a_sentence(a_class, course, command):
    grade(a_class)
    with (a_class.root / "gradebook.db").open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * (a_class.root / "gradebook.db").stat().st_size)
    code, printed = course(command, a_class.root, *(["00"] if command != "export" else []))
    assert code == 1
    assert "malformed" in printed or "cannot be opened" in printed
    assert "Traceback" not in printed


@contextmanager
def line_to(port):
    """A port that leads to another, and a way to cut it."""
    listening, lines, cut = socket.create_server(("127.0.0.1", 0)), [], threading.Event()

    def carry(source, target):
        with suppress(OSError):
            while data := source.recv(65536):
                target.sendall(data)

    def accept():
        with suppress(OSError):
            while True:
                one, _ = listening.accept()
                other = socket.create_connection(("127.0.0.1", port))
                lines.extend([one, other])
                if cut.is_set():
                    one.close()
                    continue
                for pair in ((one, other), (other, one)):
                    threading.Thread(target=carry, args=pair, daemon=True).start()

    def hang_up():
        cut.set()
        for line in lines:
            with suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)

    threading.Thread(target=accept, daemon=True).start()
    try:
        yield listening.getsockname()[1], hang_up, cut.clear
    finally:
        listening.close()
        for line in lines:
            line.close()


@pytest.mark.xdist_group("cluster")
@pytest.mark.parametrize("after", [0, 3])
def test_a_network_that_is_lost_costs_nothing_that_was_recorded(tmp_path, undisturbed, after):
    with postgresql(tmp_path / "pg") as url:
        port = int(url.rpartition(":")[2].partition("/")[0])
        with line_to(port) as (through, cut, mend):
            directory = fill(init_class(tmp_path / "remote", url.replace(f":{port}/", f":{through}/")))
            results = grade_class(directory, UNIT, sandbox="none", workers=threads)
            for _ in range(after):
                next(results)
            run = results if after else grade_class(directory, UNIT, sandbox="none", workers=threads)
            cut()
            with pytest.raises(CourseError, match=r"grading stopped, because|cannot be opened|failed, so") as stopped:
                list(run)
            assert "\n" not in str(stopped.value)
            mend()
            require_graded_once(directory, undisturbed)


@pytest.mark.xdist_group("cluster")
def test_a_database_that_is_stopped_costs_nothing_that_was_recorded(tmp_path, undisturbed):
    with postgresql(tmp_path / "pg") as url:
        directory = fill(init_class(tmp_path / "remote", url))
        results = grade_class(directory, UNIT, sandbox="none", workers=threads)
        first = [next(results) for _ in range(2)]
    with pytest.raises(CourseError, match="grading stopped, because nothing more could be written"):
        list(results)
    recorded = {result.student: result.score for result in first}
    assert recorded.items() <= undisturbed.items()
    with pytest.raises(CourseError, match=r"cannot be opened: connection"):
        grade(directory)
