"""The log of grading: a line for each event, whatever students call their folders, and no failure of its own."""

import re
from functools import partial

import pytest
from builders.quick_class import grade, hand_in, preview, quick_grading, threads

from autograder.course.units import find_unit
from autograder.examiner.assignment import Assignment
from autograder.grading import run_log, worker_pool
from autograder.grading.run_log import LOG, log_path
from autograder.grading.worker_pool import Job, Workers, run_jobs

UNIT = find_unit("01")


def logged(directory):
    """The lines without their time."""
    lines = log_path(directory.root).read_text("utf-8").splitlines()
    assert all(re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d{4} (INFO|WARNING) ", line) for line in lines), lines
    return [line.partition(" ")[2] for line in lines]


def test_a_run_is_logged_from_start_to_end(class_of_two):
    start, workers, *graded, end = logged(class_of_two)
    assert start == f"INFO run started: {UNIT.full_name}, 2 students, sandbox none"
    assert workers == "INFO 2 workers started"
    assert sorted(graded) == [f"INFO graded: {student}, 36 of 40 in 0.00 s" for student in ("ada", "bob")]
    assert re.fullmatch(r"INFO run ended: 2 graded in \d+\.\d s", end)


def test_what_is_kept_has_no_line_and_a_dry_run_no_log(class_of_two):
    before = logged(class_of_two)
    preview(class_of_two, UNIT, force=True)
    assert logged(class_of_two) == before
    grade(class_of_two, UNIT)
    assert [line.split(":")[0] for line in logged(class_of_two)[len(before) :]] == [
        "INFO run started",
        "INFO run ended",
    ]


def test_a_refusal_is_one_line_that_steers_no_terminal(class_of_two):
    hand_in(class_of_two, UNIT, "eve")
    class_of_two.submission("eve", UNIT).unlink()
    class_of_two.submission("eve", UNIT).with_name("\x1b[2J\n2026 INFO graded: eve, 40 of 40.ipynb").write_text("{}")
    before = len(logged(class_of_two))
    grade(class_of_two, UNIT)
    _, refusal, end = logged(class_of_two)[before:]
    assert refusal.startswith("WARNING refused: eve, 01_cross_attention_shapes.ipynb is missing")
    assert refusal.endswith("found [2J 2026 INFO graded: eve, 40 of 40.ipynb instead")
    assert end.startswith("INFO run ended: ")
    assert "1 failed" in end


def test_a_run_that_stops_says_why(class_of_two, monkeypatch):
    run = partial(grade, class_of_two, UNIT, force=True)

    def interrupted(data, assignment, seed):
        raise KeyboardInterrupt

    monkeypatch.setattr(worker_pool, "grade_here", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run()
    assert logged(class_of_two)[-1].startswith("INFO run stopped by KeyboardInterrupt: nothing in ")
    assert len(LOG.handlers) == 1  # the file is closed


def test_lost_workers_and_retries_are_logged(caplog):
    class Lost(worker_pool.BrokenExecutor):
        """As of a process that ended."""

    def lose_once(job, left):
        if left:
            left.pop()
            raise Lost
        return job.decode()

    left = [1]

    def new_workers(assignment):
        workers = threads(assignment)
        return Workers(workers.executor, 1, workers.stop)

    with pytest.MonkeyPatch.context() as patch, caplog.at_level("INFO", LOG.name):
        patch.setattr(worker_pool, "grade_here", lambda data, assignment, seed: lose_once(data, left))
        done = list(run_jobs([Job("ada", b"hers", "0", "a")], Assignment(UNIT, b"", b"", "none"), new_workers))
    assert [outcome for _, outcome in done] == ["hers"]
    assert caplog.messages == [
        "1 workers started",
        "a worker ended, and another takes its place: ada is graded again",
    ]


def test_a_log_that_cannot_be_written_stops_nothing(class_of_two, monkeypatch, capsys):
    log_path(class_of_two.root).unlink()
    log_path(class_of_two.root).parent.rmdir()
    log_path(class_of_two.root).parent.write_text("in the way")
    monkeypatch.setattr(worker_pool, "grade_here", quick_grading)
    assert len(grade(class_of_two, UNIT, force=True)) == 2
    assert capsys.readouterr().err == ""


def test_a_log_that_is_full_is_moved_aside(class_of_two, monkeypatch):
    monkeypatch.setattr(run_log, "LARGEST", 300)
    for _ in range(4):
        grade(class_of_two, UNIT, force=True)
    files = sorted(path.name for path in log_path(class_of_two.root).parent.iterdir())
    assert files[0] == "grade.log"
    assert 1 < len(files) <= 1 + run_log.KEPT
