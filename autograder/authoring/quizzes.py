"""The practice quizzes of a unit: read from `solutions/quizzes`, and written for students with their reasons sealed."""

import hashlib
import json
import tomllib

from autograder.course.units import SOURCES, Unit
from autograder.errors import CourseError
from course_lib.widgets.quiz_bank import FOLDER as QUIZZES
from course_lib.widgets.quiz_bank import seal

__all__ = ["QUIZZES", "quiz_file", "read_quizzes"]


def read_quizzes(unit: Unit) -> dict[str, dict]:
    """Each quiz by its name: the question, and choices with their verdicts and reasons."""
    path = SOURCES / "quizzes" / f"{unit.id}.toml"
    quizzes = tomllib.loads(path.read_text("utf-8"))
    for name, quiz in quizzes.items():
        choices = quiz["choices"]
        if not 2 <= len(choices) <= 4 or sum(choice["right"] for choice in choices) != 1:
            raise CourseError(f"{path.name}: quiz {name} needs two to four choices, exactly one of them right")
        if len({choice["text"] for choice in choices}) < len(choices):
            raise CourseError(f"{path.name}: quiz {name} has the same choice twice")
    return quizzes


def quiz_file(unit: Unit) -> str:
    """What students get: the questions and choices as they are, the rest sealed."""
    sealed = {
        name: {
            "question": quiz["question"],
            "choices": [
                {
                    "text": choice["text"],
                    "sealed": seal(name, choice["text"], choice["right"], choice["reason"]),
                }
                for choice in _dealt(name, quiz["choices"])
            ],
        }
        for name, quiz in read_quizzes(unit).items()
    }
    return json.dumps(sealed, ensure_ascii=False, indent=1) + "\n"


def _dealt(name: str, choices: list[dict]) -> list[dict]:
    """In an order that says nothing about which is right, and is the same in every build."""
    return sorted(choices, key=lambda choice: hashlib.sha256(f"{name}\n{choice['text']}".encode()).digest())
