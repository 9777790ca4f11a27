"""The record of a grade: what made it, what the examiner found, and the result; with its form on disk."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace

from autograder.course.strict_json import number, table, text
from autograder.examiner.assignment import Limits
from autograder.examiner.graded import Graded
from autograder.gradebook.results import Result

VERSION = 2  # of the form on disk; version 1 has no number, and may lack what had not been recorded yet


class Damaged(Exception):
    """Why the record of a grade cannot be used."""


@dataclass(frozen=True)
class Parts:
    """What a grade depends on; a change of any of them calls for a new grade.

    The seed is not among them: it follows from the class secret and the student. Limits of time are not either: most
    grades do not depend on them, and `more_time_would_help` asks about those that do. Which bubblewrap made the sandbox
    is noted beside them: a newer one gives the same grades.
    """

    submission: str
    released: str
    source: str
    exam: str
    library: str
    sandbox: str
    versions: Mapping[str, str] = field(default_factory=dict)

    @property
    def key(self) -> str:
        return hashlib.sha256(json.dumps(asdict(self), sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True)
class Made:
    """What made a grade and when; `parts` with the versions of the machine that graded."""

    parts: Parts
    limits: Limits
    seed: str
    time: str
    bubblewrap: str = ""

    def to_json(self) -> dict[str, object]:
        bubblewrap = {"bubblewrap": self.bubblewrap} if self.bubblewrap else {}
        beside = {"limits": asdict(self.limits), "seed": self.seed, **bubblewrap, "time": self.time}
        return asdict(self.parts) | beside

    @classmethod
    def from_json(cls, value: object) -> "Made":
        """Raises KeyError or TypeError if it is none."""
        data = table(value)
        versions = {name: text(version) for name, version in table(data["versions"]).items()}
        digests = {part.name: text(data[part.name]) for part in fields(Parts) if part.name != "versions"}
        limits = {name: number(seconds) for name, seconds in table(data["limits"]).items()}
        bubblewrap = text(data.get("bubblewrap", ""))
        return cls(
            Parts(**digests, versions=versions), Limits(**limits), text(data["seed"]), text(data["time"]), bubblewrap
        )

    def changed_since(self, before: "Made | None") -> list[str]:
        """The names of what is not as it was, as the JSON form has them."""
        earlier = {} if before is None else before.to_json()
        return [name for name, value in self.to_json().items() if earlier.get(name) != value]


@dataclass(frozen=True)
class GradeRecord:
    """`graded` without its notebook, which is kept in autograded/; `made` is None where it was not recorded yet."""

    key: str
    graded: Graded
    made: Made | None
    result: Result

    def to_json(self) -> dict[str, object]:
        made = {} if self.made is None else {"made": self.made.to_json()}
        record = {"version": VERSION, "key": self.key, "graded": self.graded.to_json()}
        return record | made | {"result": self.result.to_json()}

    @classmethod
    def from_json(cls, value: object) -> "GradeRecord":
        """Raises Damaged if it is not what grading writes, today or in version 1."""
        try:
            data = table(value)
            if data.get("version", 1) not in (1, VERSION):
                raise ValueError("written by a later version of the course")
            return cls(
                key=text(data["key"]),
                graded=Graded.from_json(data["graded"]),
                made=Made.from_json(data["made"]) if "made" in data else None,
                result=Result.from_json(data["result"]),
            )
        except (KeyError, TypeError, ValueError):
            raise Damaged("its result file is not what grading writes") from None

    def says_the_same_as(self, other: "GradeRecord") -> bool:
        """Whether they agree in what counts: what made the grade, and the result; not how long it took, nor when."""
        return _what_counts(self) == _what_counts(other)


def _what_counts(record: GradeRecord) -> tuple[str, Made | None, Result]:
    return record.key, record.made and replace(record.made, time=""), replace(record.result, seconds=0.0)
