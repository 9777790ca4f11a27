"""Processes that each do one thing at a time: what one of them does to itself concerns nobody else."""

import os
import signal
import sys
from concurrent.futures import wait
from contextlib import contextmanager
from multiprocessing import get_context

import psutil
import pytest

from autograder.errors import CourseError
from autograder.grading.worker_processes import NoWorker, WorkerEnded, WorkerProcesses, serve
from autograder.sandbox.kernel_process import SandboxEnded


@contextmanager
def processes(count, new_process=None):
    def start(line):
        return get_context("fork").Process(target=serve, args=(line, int), daemon=True)

    executor = WorkerProcesses(count, new_process or start)
    try:
        yield executor
    finally:
        executor.stop()


def die(*job):
    os.kill(os.getpid(), signal.SIGKILL)


def half_an_answer(number):
    """Ends in the middle of what it sends: the length of a message, and a part of it."""
    line = sys._getframe(1).f_locals["line"]
    os.write(line.fileno(), b"\0\1\0\0half")
    die()


def test_each_job_has_its_outcome(capfd):
    with processes(2) as executor:
        assert [future.result() for future in [executor.submit(pow, 2, n) for n in range(5)]] == [1, 2, 4, 8, 16]
        with pytest.raises(ZeroDivisionError):
            executor.submit(divmod, 1, 0).result()
        with pytest.raises(Exception, match="pickle"):
            executor.submit(iter, [lambda: 0]).result()
        with pytest.raises(Exception, match="pickle"):
            executor.submit(lambda: 0).result()
        assert executor.submit(os.getpid).result() != os.getpid()


@pytest.mark.parametrize("end", [die, half_an_answer])
def test_a_process_that_ends_costs_its_job_alone_and_is_replaced(end):
    with processes(2) as executor:
        jobs = [executor.submit(abs if n % 3 else end, -n) for n in range(9)]
        wait(jobs)
        lost = [n for n, job in enumerate(jobs) if isinstance(job.exception(), WorkerEnded)]
        assert lost == [0, 3, 6]
        assert [job.result() for n, job in enumerate(jobs) if n % 3] == [1, 2, 4, 5, 7, 8]


def test_what_was_begun_ends_with_the_executor():
    with processes(2) as executor:
        ids = {future.result() for future in [executor.submit(os.getpid) for _ in range(8)]}
        waiting = executor.submit(signal.pause)
        while not waiting.running():
            wait([waiting], timeout=0.01)
    assert isinstance(waiting.exception(), WorkerEnded)
    assert not any(psutil.pid_exists(number) for number in ids)


def test_where_no_process_can_be_started_it_is_said():
    def none(line):
        raise CourseError("there is no sandbox")

    with pytest.raises(NoWorker, match="no worker can be started: there is no sandbox"), processes(1, none):
        pass


def lose_the_sandbox():
    raise SandboxEnded("the sandbox has ended")


def test_who_has_lost_its_sandbox_is_replaced():
    with processes(1) as executor:
        first = executor.submit(os.getpid).result()
        with pytest.raises(SandboxEnded):
            executor.submit(lose_the_sandbox).result()
        assert executor.submit(os.getpid).result() != first
