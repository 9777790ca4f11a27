"""The table of observers: the functions that an exam names by `observe="…"`."""

import functools
from collections.abc import Callable, Mapping, Sequence

from course_lib.checks.question import Outputs, Question
from course_lib.checks.remote_task import runs_in_student_process

Observer = Callable[[Question], Outputs]
OBSERVERS: dict[str, Observer] = {}


def observer(name: str, in_student_process: bool = False) -> Callable[[Observer], Observer]:
    """Register a function under this name; with `in_student_process`, all of it runs where the answer lives."""

    def register(observe: Observer) -> Observer:
        OBSERVERS[name] = _as_task(observe) if in_student_process else observe
        return observe

    return register


def _as_task(observe: Observer) -> Observer:
    """The fields of a question cross to the other process one by one: only plain data can."""

    @runs_in_student_process
    @functools.wraps(observe)
    def task(
        exercise: str,
        answer: object,
        arguments: Mapping[str, object],
        outputs: Sequence[str],
        forbidden: Sequence[str],
    ) -> Outputs:
        return observe(Question(exercise, answer, arguments, outputs, forbidden))

    return lambda question: task(
        question.exercise, question.answer, question.arguments, question.outputs, question.forbidden
    )
