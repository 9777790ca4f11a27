"""Run the grading of many submissions on worker processes here or on a Dask cluster, and survive the loss of some."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from dataclasses import dataclass
from itertools import chain
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, Generic, NamedTuple, TypeVar

from autograder.course.safe_text import printable
from autograder.course.submitted_notebook import Rejected
from autograder.errors import CourseError
from autograder.examiner.assignment import Assignment
from autograder.examiner.graded import Graded
from autograder.grading.run_log import LOG
from autograder.grading.worker import begin_worker, grade_here
from autograder.grading.worker_processes import NoWorker, WorkerProcesses, serve
from autograder.sandbox.kernel_process import SandboxEnded
from autograder.sandbox.zygote_pool import Zygote

MOST_ATTEMPTS = 3  # a submission that takes its worker or its sandbox down each time is given up


@dataclass
class Job:
    """A submission to be graded; `attempts` counts those that ended because the worker or the sandbox did."""

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
    """Jobs on workers: those that run, and those whose worker or sandbox was lost, which are run again."""

    def __init__(self, jobs: Iterator[AnyJob], assignment: Assignment, new_workers: NewWorkers):
        self._jobs, self._assignment = jobs, assignment
        self._running: dict[Future[Graded], AnyJob] = {}
        self._again: list[AnyJob] = []
        self._workers = new_workers(assignment)
        LOG.info("%d workers started", self._workers.size)

    def finished(self) -> Iterator[tuple[AnyJob, GradedOrWhyNot]]:
        try:
            while self._fill():
                for future in wait(self._running, return_when=FIRST_COMPLETED).done:
                    job = self._running.pop(future)
                    outcome = self._outcome(job, future)
                    if outcome is not None:
                        yield job, outcome
        finally:
            self._workers.stop()

    def _fill(self) -> bool:
        """Give the workers as many jobs as they run and as many to wait; whether there is any left."""
        while len(self._running) < 2 * self._workers.size:
            job = self._again.pop() if self._again else next(self._jobs, None)
            if job is None:
                break
            future = self._workers.executor.submit(grade_here, job.data, self._assignment, job.seed)
            self._running[future] = job
        return bool(self._running)

    def _outcome(self, job: AnyJob, future: Future[Graded]) -> GradedOrWhyNot | None:
        """What became of a job; None if it is run again. Whatever is wrong with it costs no other its grade."""
        try:
            return future.result()
        except Rejected as problem:
            return str(problem)
        except (BrokenExecutor, SandboxEnded) as lost:
            what = "sandbox" if isinstance(lost, SandboxEnded) else "worker"
        except NoWorker:
            raise
        except CancelledError:
            raise CourseError("the Dask scheduler was lost: start it and grade again to go on") from None
        except Exception as error:
            return printable(f"grading it failed with {type(error).__name__}: {error}")
        job.attempts += 1
        if job.attempts == MOST_ATTEMPTS:
            return f"the worker or the sandbox ended each of the {MOST_ATTEMPTS} times that it was graded"
        LOG.warning("a %s ended, and another takes its place: %s is graded again", what, job.student)
        self._again.append(job)
        return None


def local_workers(count: int | None = None, early: Zygote | None = None) -> NewWorkers:
    """Worker processes on this machine; `early` is a zygote that has been started while there was other work.

    On Linux they are forked: what is imported here need not be imported again, and one zygote serves them all.
    """
    count = count or max(2, os.cpu_count() or 1)
    forked = sys.platform == "linux"
    new = get_context("fork").Process if forked else get_context("spawn").Process

    def start(assignment: Assignment) -> Workers:
        about, shared = (assignment.unit, assignment.sandbox), early if forked else None

        def new_process(line: "Connection[Any, Any]") -> BaseProcess:
            nonlocal shared
            if forked and (shared is None or not shared.alive()):
                if shared is not None:
                    shared.close()
                shared = Zygote(*about)
            if shared is not None:
                shared.wait_until_warm()
            return new(target=serve, args=(line, begin_worker, *about, shared), daemon=True)

        if forked:
            import autograder.examiner.grade_submission  # noqa: F401, for all workers at once
        executor = WorkerProcesses(count, new_process)

        def stop() -> None:
            executor.stop()
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
