"""Observers and the exams that name them; observers that run in the student's process."""

import torch

from autograder.exams import EXAMS
from course_lib.checks.observers import OBSERVERS
from course_lib.checks.observers.registry import observer
from course_lib.checks.question import Question
from course_lib.checks.remote_task import TASKS, RemoteObject


def test_every_observer_named_in_an_exam_is_registered_and_no_other():
    criteria = [criterion for exam in EXAMS.values() for criterion in exam.criteria]
    named = {criterion.observe for criterion in criteria if hasattr(criterion, "observe")}
    assert named | {"learning", "partial learning", "gradient values"} == set(OBSERVERS)  # which variations ask


class Remote(RemoteObject):
    """An answer in another process: it notes the task, and performs it here."""

    def __init__(self, answer):
        self.answer, self.tasks = answer, []

    def run_task(self, task, name, *details):
        self.tasks.append((task, details))
        return TASKS[task](name, self.answer, *details)


def test_an_observer_calls_a_remote_answer_with_plain_data():
    remote = Remote(lambda x: 2 * x)
    assert OBSERVERS["values"](Question("double", remote, {"x": 3}, ("y",))) == {"y": 6}
    assert remote.tasks == [("call", ([3], ()))]


def test_an_observer_in_the_students_process_is_one_task_there(monkeypatch):
    def how_many(question):
        return {"how many": len(question.answer(**question.arguments))}

    monkeypatch.setattr("course_lib.checks.observers.registry.OBSERVERS", observers := {})
    observer("how many rows", in_student_process=True)(how_many)
    remote, arguments = Remote(lambda x: x[1:]), {"x": torch.ones(3, 2)}
    seen = observers["how many rows"](Question("tail", remote, arguments, ("output",), ("torch.clone",)))
    assert seen == {"how many": 2}
    TASKS.pop("how_many")
    assert remote.tasks == [("how_many", (arguments, ("output",), ("torch.clone",)))]
