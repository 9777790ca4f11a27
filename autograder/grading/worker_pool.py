"""Run the grading of many submissions on worker processes here or on a Dask cluster, and survive the loss of some."""

import os
import sys
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from dataclasses import dataclass
from itertools import chain
from multiprocessing import get_context
from typing import Generic, NamedTuple, TypeVar

from autograder.course.safe_text import printable
from autograder.course.submitted_notebook import Rejected
from autograder.errors import CourseError
from autograder.examiner.assignment import Assignment
from autograder.examiner.graded import Graded
from autograder.grading.run_log import LOG
from autograder.grading.worker import begin_worker, grade_here
from autograder.sandbox.zygote_pool import Zygote

MOST_ATTEMPTS = 3  # a submission that takes its worker down each time is given up


@dataclass
class Job:
    """A submission to be graded; `attempts` counts the workers that were lost while they graded it."""

    student: str
    data: bytes
    seed: str
    key: str
    attempts: int = 0


AnyJob = TypeVar("AnyJob", bound=Job)
GradedOrWhyNot = Graded | str


class Workers(NamedTuple):
    """An executor, how many jobs it runs at a time, and how to let go of all that is still running."""

    executor: Executor
    size: int
    stop: Callable[[], None]


NewWorkers = Callable[[Assignment], Workers]


def run_jobs(
    jobs: Iterable[AnyJob], assignment: Assignment, new_workers: NewWorkers
) -> Iterator[tuple[AnyJob, GradedOrWhyNot]]:
    """Each job as it is finished, in any order, with what became of it or why it failed.

    Jobs are taken from the iterable as workers become free, so that a class of any size needs the same memory.
    """
    waiting = iter(jobs)
    first = next(waiting, None)
    if first is not None:  # or workers would be started for nothing
        yield from _Run(chain([first], waiting), assignment, new_workers).finished()


class _Run(Generic[AnyJob]):
    """Jobs on workers: those that run, and those that were on workers that were lost and are run again."""

    def __init__(self, jobs: Iterator[AnyJob], assignment: Assignment, new_workers: NewWorkers):
        self._jobs, self._assignment, self._new_workers = jobs, assignment, new_workers
        self._running: dict[Future[Graded], AnyJob] = {}
        self._again: list[AnyJob] = []
        self._workers = self._start()

    def finished(self) -> Iterator[tuple[AnyJob, GradedOrWhyNot]]:
        try:
            while self._fill():
                lost = yield from self._collect()
                if lost or self._again:
                    yield from self._restart(lost)
        finally:
            self._workers.stop()

    def _start(self) -> Workers:
        workers = self._new_workers(self._assignment)
        LOG.info("%d workers started", workers.size)
        return workers

    def _fill(self) -> bool:
        """Give the workers as many jobs as they run and as many to wait; whether there is any left."""
        while len(self._running) < 2 * self._workers.size:
            job = self._again.pop() if self._again else next(self._jobs, None)
            if job is None:
                break
            try:
                future = self._workers.executor.submit(grade_here, job.data, self._assignment, job.seed)
            except BrokenExecutor:
                self._again.append(job)
                break
            self._running[future] = job
        return bool(self._running or self._again)

    def _collect(self) -> Generator[tuple[AnyJob, GradedOrWhyNot], None, list[AnyJob]]:
        """Each job that is done now, at least one; returns those whose worker was lost."""
        lost = []
        for future in wait(self._running, return_when=FIRST_COMPLETED).done if self._running else ():
            job = self._running.pop(future)
            try:
                yield job, future.result()
            except Rejected as problem:
                yield job, str(problem)
            except BrokenExecutor:
                lost.append(job)
            except CancelledError:
                raise CourseError("the Dask scheduler was lost: start it and grade again to go on") from None
            except Exception as error:  # costs no other submission its grade
                yield job, printable(f"grading it failed with {type(error).__name__}: {error}")
        return lost

    def _restart(self, lost: list[AnyJob]) -> Iterator[tuple[AnyJob, GradedOrWhyNot]]:
        """New workers: one that ends breaks the executor, so all jobs that ran are run again, or given up."""
        lost += self._running.values()
        self._running.clear()
        self._workers.stop()
        LOG.warning("a worker ended: workers are restarted; unfinished submissions: %d", len(lost))
        self._workers = self._start()
        for job in lost:
            job.attempts += 1
            if job.attempts < MOST_ATTEMPTS:
                LOG.warning("retried: %s, attempt %d", job.student, job.attempts + 1)
                self._again.append(job)
            else:
                yield job, f"{MOST_ATTEMPTS} workers ended while they graded it"


def local_workers(count: int | None = None, early: Zygote | None = None) -> NewWorkers:
    """Worker processes on this machine; `early` is a zygote that has been started while there was other work.

    On Linux they are forked: what is imported here need not be imported again, and one zygote serves them all.
    """
    count = count or max(2, os.cpu_count() or 1)
    forked = sys.platform == "linux"

    def start(assignment: Assignment) -> Workers:
        nonlocal early
        shared = None
        if forked:
            import autograder.examiner.grade_submission  # noqa: F401, for all workers at once

            shared = early or Zygote(assignment.unit, assignment.sandbox)
            early = None
            shared.wait_until_warm()
        executor = ProcessPoolExecutor(
            count,
            mp_context=get_context("fork" if forked else "spawn"),
            initializer=begin_worker,
            initargs=(assignment.unit, assignment.sandbox, shared),
        )

        def stop() -> None:
            processes = list((executor._processes or {}).values())
            executor.shutdown(wait=False, cancel_futures=True)
            for process in processes:
                process.terminate()
            if shared is not None:
                shared.close()

        return Workers(executor, count, stop)

    return start


def dask_cluster(address: str) -> NewWorkers:
    """The workers of a Dask cluster."""
    try:
        from distributed import Client
    except ImportError:
        raise CourseError(
            "a Dask cluster needs the package distributed: pip install 'transformer-course[dask]'"
        ) from None

    def connect(assignment: Assignment) -> Workers:
        try:
            client = Client(address, timeout="10s")
        except (OSError, ValueError) as error:  # the latter if it is no address
            raise CourseError(f"no Dask scheduler answers at {address}: {error}") from None
        workers = sum(client.nthreads().values())
        if not workers:
            client.close()
            raise CourseError(
                f"the Dask scheduler at {address} has no workers: start some with `course worker {address}`"
            )
        return Workers(client.get_executor(retries=MOST_ATTEMPTS, pure=False), workers, client.close)

    return connect
