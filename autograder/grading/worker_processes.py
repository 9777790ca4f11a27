"""Processes that each do one thing at a time: one that ends costs what it was doing, and another takes its place."""

import threading
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Future, ThreadPoolExecutor
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from multiprocessing.reduction import ForkingPickler
from queue import SimpleQueue
from typing import Any, NamedTuple, ParamSpec, TypeVar

from autograder.errors import CourseError
from autograder.sandbox.kernel_process import SandboxEnded

P = ParamSpec("P")
T = TypeVar("T")


class WorkerEnded(BrokenExecutor):
    """The process ended before it had an answer."""


class NoWorker(CourseError):
    """No process can be started, whatever the job."""


class _Worker(NamedTuple):
    process: BaseProcess
    line: "Connection[Any, Any]"

    def end(self) -> None:
        self.process.kill()
        self.line.close()


class WorkerProcesses(ThreadPoolExecutor):
    """An executor whose threads each wait for a process, over a line of its own: they share no lock and no queue."""

    def __init__(self, count: int, new_process: Callable[["Connection[Any, Any]"], BaseProcess]):
        super().__init__(count)
        self._new_process = new_process
        self._starting = threading.Lock()  # a process forked meanwhile would hold the other end of this one's line
        self._stopped = False
        self._started: list[BaseProcess] = []
        self._free: SimpleQueue[_Worker | None] = SimpleQueue()  # None: one that has to be started
        for _ in range(count):
            self._free.put(self._start())

    def submit(self, function: Callable[P, T], /, *arguments: P.args, **options: P.kwargs) -> Future[T]:
        return super().submit(self._run, function, arguments, options)

    def stop(self) -> None:
        """End every process at once, whatever it is doing."""
        self.shutdown(wait=False, cancel_futures=True)
        with self._starting:
            self._stopped = True
            for process in self._started:
                process.kill()
                process.join()

    def _run(self, *job: object) -> Any:
        worker = self._free.get()
        try:
            worker = worker or self._start()
            worker.line.send(job)
            succeeded, outcome = worker.line.recv()
            if isinstance(outcome, SandboxEnded):  # it has none any more, and a new process gets a new one
                worker.end()
                worker = None
        except (EOFError, OSError):
            if worker:
                worker.end()
            worker = None
            raise WorkerEnded from None
        finally:
            self._free.put(worker)
        if not succeeded:
            raise outcome
        return outcome

    def _start(self) -> _Worker:
        with self._starting:
            if self._stopped:
                raise WorkerEnded
            line, workers_end = Pipe()
            try:
                process = self._new_process(workers_end)
                process.start()
            except (CourseError, OSError) as error:
                raise NoWorker(f"no worker can be started: {error}; what is recorded is kept") from error
            self._started.append(process)
            workers_end.close()
            return _Worker(process, line)


def serve(line: "Connection[Any, Any]", begin: Callable[..., None], *arguments: object) -> None:
    """What a process does: job after job, until nobody is at the other end."""
    begin(*arguments)
    while True:
        try:
            function, given, options = line.recv()
        except EOFError:
            return
        try:
            outcome = ForkingPickler.dumps((True, function(*given, **options)))
        except Exception as error:
            outcome = ForkingPickler.dumps((False, error))
        line.send_bytes(outcome)
