"""Run the grading of many submissions on worker processes here or on a Dask cluster, and survive the loss of some."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator
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
from multiprocessing import get_context
from typing import NamedTuple

from autograder.course.safe_text import printable
from autograder.course.submitted_notebook import Rejected
from autograder.errors import CourseError
from autograder.examiner.assignment import Assignment, Graded
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


Finished = tuple[Job, Graded | str]


class Workers(NamedTuple):
    """An executor, how many jobs it runs at a time, and how to let go of all that is still running."""

    executor: Executor
    count: int
    stop: Callable[[], None]


NewWorkers = Callable[[Assignment], Workers]


def run_jobs(jobs: Iterable[Job], assignment: Assignment, new_workers: NewWorkers) -> Iterator[Finished]:
    """Each job as it is finished, in any order, with what became of it or why it failed.

    Jobs are taken from the iterable as workers become free, so that a class of any size needs the same memory.
    """
    jobs = iter(jobs)
    again = [job for job in (next(jobs, None),) if job is not None]
    if not again:
        return
    workers = new_workers(assignment)
    running: dict[Future, Job] = {}
    try:
        while True:
            while len(running) < 2 * workers.count and (job := again.pop() if again else next(jobs, None)) is not None:
                try:
                    running[workers.executor.submit(grade_here, job.data, assignment, job.seed)] = job
                except BrokenExecutor:
                    again.append(job)
                    break
            if not running and not again:
                return
            lost = []
            for future in wait(running, return_when=FIRST_COMPLETED).done if running else ():
                job = running.pop(future)
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
            if lost or again:
                lost += running.values()
                running.clear()
                workers.stop()
                workers = new_workers(assignment)
                for job in lost:
                    job.attempts += 1
                given_up = [job for job in lost if job.attempts >= MOST_ATTEMPTS]
                again += [job for job in lost if job.attempts < MOST_ATTEMPTS]
                yield from ((job, f"{MOST_ATTEMPTS} workers ended while they graded it") for job in given_up)
    finally:
        workers.stop()


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
