"""What made a grade: its parts by name, the key that stands for them, and which of them have changed since."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

from autograder.course.code_digest import exam_digest, library_digest
from autograder.course.versions import versions
from autograder.examiner.assignment import Assignment, Limits


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
        return _hash(json.dumps(asdict(self), sort_keys=True).encode())


def parts_of(assignment: Assignment, data: bytes) -> Parts:
    """The parts of a grade that would be made now."""
    return Parts(
        submission=_hash(data),
        released=_hash(assignment.released),
        source=_hash(assignment.source),
        exam=exam_digest(assignment.unit),
        library=library_digest(),
        sandbox=assignment.sandbox,
        versions=versions(),
    )


def changed_parts(made: Mapping | None, parts: Parts, limits: Limits) -> list[str]:
    """The names of what is not as it was when the grade was made; none, if that was not recorded."""
    if made is None:
        return []
    now = asdict(parts) | {"limits": asdict(limits)}
    return [name for name, value in now.items() if made.get(name) != value]


def more_time_would_help(record: Mapping, limits: Limits) -> bool:
    """Whether the grade ran into a limit of time, and one is longer now."""
    before = record.get("made", {}).get("limits", {})
    longer = any(value > before.get(name, value) for name, value in asdict(limits).items())
    return bool(record.get("graded", {}).get("timed_out")) and longer


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
