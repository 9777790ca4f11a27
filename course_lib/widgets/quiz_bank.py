"""The practice questions, with verdicts and reasons obfuscated.

XOR with a hash of the question keeps answers from being read by accident, in a file or in a search. It is no
encryption: the key is public. Practice questions are not graded.
"""

import hashlib
import json
from base64 import b64decode, b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path

FOLDER = Path(__file__).parent / "quizzes"


@dataclass(frozen=True)
class Choice:
    text: str
    sealed: str


@dataclass(frozen=True)
class Question:
    name: str
    question: str
    choices: tuple[Choice, ...]

    def answer(self, place: int) -> tuple[bool, str]:
        """Whether a choice is right, and why or why not."""
        choice = self.choices[place]
        return unseal(self.name, choice.text, choice.sealed)


@cache
def read_questions() -> dict[str, Question]:
    """Every question by its name."""
    questions = {}
    for path in sorted(FOLDER.glob("*.json")):
        for name, entry in json.loads(path.read_text("utf-8")).items():
            choices = tuple(Choice(**choice) for choice in entry["choices"])
            questions[name] = Question(name, entry["question"], choices)
    return questions


def seal(name: str, text: str, right: bool, reason: str) -> str:
    """Obfuscate the verdict and the reason of a choice."""
    return b64encode(_mixed(name, text, f"{'+' if right else '-'}{reason}".encode())).decode()


def unseal(name: str, text: str, sealed: str) -> tuple[bool, str]:
    """The inverse of `seal`."""
    opened = _mixed(name, text, b64decode(sealed)).decode()
    return opened[0] == "+", opened[1:]


def _mixed(name: str, text: str, data: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(data, _stream(f"{name}\n{text}"), strict=False))


def _stream(key: str) -> Iterator[int]:
    for number in count():
        yield from hashlib.sha256(f"{key}\n{number}".encode()).digest()
