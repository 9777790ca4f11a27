"""Practice quizzes: read from `solutions/quizzes`, written for students with verdicts and reasons obfuscated."""

import hashlib
import json
import tomllib
from typing import Any

from autograder.course.units import SOURCES, Unit
from autograder.errors import CourseError
from course_lib.widgets.quiz_bank import FOLDER as QUIZZES
from course_lib.widgets.quiz_bank import seal

__all__ = ["QUIZZES", "quiz_file", "read_quizzes"]


def read_quizzes(unit: Unit) -> dict[str, dict[str, Any]]:
    """Each quiz by its name: the question, and the choices with their verdicts and reasons."""
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
    """The JSON file for students: questions and choices in plain text, verdicts and reasons sealed."""
    sealed = {
        name: {
            "question": quiz["question"],
            "choices": [
                {
                    "text": choice["text"],
                    "sealed": seal(name, choice["text"], choice["right"], choice["reason"]),
                }
                for choice in _shuffled(name, quiz["choices"])
            ],
        }
        for name, quiz in read_quizzes(unit).items()
    }
    return json.dumps(sealed, ensure_ascii=False, indent=1) + "\n"


def _shuffled(name: str, choices: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Shuffle by hash: the same order in each build, and independent of which choice is right."""
    return sorted(choices, key=lambda choice: hashlib.sha256(f"{name}\n{choice['text']}".encode()).digest())
