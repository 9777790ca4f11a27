"""Run a check in the student's process when the answer is a remote proxy."""

import functools
from abc import ABC, abstractmethod
from collections.abc import Callable

TASKS: dict[str, Callable] = {}


class RemoteObject(ABC):
    """A student's object that lives in another process, which runs tasks on it."""

    @abstractmethod
    def run_task(self, task: str, name: str, *details: object) -> object:
        """TASKS[task](name, the object, *details), run there: returns plain data or proxies, or raises its Finding."""


def runs_in_student_process(task: Callable) -> Callable:
    """Decorate task(name, answer, …), whose `name` is the exercise's: run it in the process where the answer lives."""
    TASKS[task.__name__] = task

    @functools.wraps(task)
    def run(name: str, answer: object, *details: object) -> object:
        if isinstance(answer, RemoteObject):
            return answer.run_task(task.__name__, name, *details)
        return task(name, answer, *details)

    return run
