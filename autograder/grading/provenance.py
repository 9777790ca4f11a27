"""Which parts a grade would be made of now, and which of them have changed since it was made."""

import hashlib
from dataclasses import asdict

from autograder.course.code_digest import exam_digest, library_digest
from autograder.course.versions import versions
from autograder.examiner.assignment import Assignment, Limits
from autograder.gradebook.record import GradeRecord, Made, Parts


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


def changed_parts(made: Made | None, parts: Parts, limits: Limits) -> list[str]:
    """The names of what is not as it was when the grade was made; none, if that was not recorded."""
    if made is None:
        return []
    return Made(parts, limits, made.seed, made.time, made.bubblewrap).changed_since(made)


def more_time_would_help(record: GradeRecord, limits: Limits) -> bool:
    """Whether the grade ran into a limit of time, and one is longer now."""
    if record.made is None or not record.graded.timed_out:
        return False
    before = asdict(record.made.limits)
    return any(seconds > before[name] for name, seconds in asdict(limits).items())


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
