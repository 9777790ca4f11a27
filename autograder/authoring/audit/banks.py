"""What the authors of an exam did not foresee: answers that raise, changed outputs, noise, and damaged notebooks."""

from autograder.authoring.audit.audit import Tally
from autograder.authoring.audit.crash_audit import audit_crashes
from autograder.authoring.audit.crash_bank import CRASHES
from autograder.authoring.audit.editors import audit_editors
from autograder.authoring.audit.follow_through import audit_follow_through
from autograder.authoring.audit.innocents import audit_innocents
from autograder.authoring.audit.relation_bank import audit_relations
from autograder.course.units import Unit
from autograder.exam_types.exam import Exam


def audit_banks(exam: Exam) -> dict[str, Tally]:
    """By the title of the column: each must be explained as it is, or not at all."""
    return {
        "crash-\nes": audit_crashes(crash for crash in CRASHES if crash.exercise == exam.exercise),
        "rela-\ntions": audit_relations([exam]),
        "inno-\ncents": audit_innocents([exam]),
    }


def audit_notebooks(unit: Unit) -> dict[str, Tally]:
    """By the title of the column: what is done to other cells of a notebook must not cost an answer its points."""
    return {"editors": audit_editors(unit), "follow-\nthrough": audit_follow_through(unit)}
