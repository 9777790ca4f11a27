"""Put the people of a roster into the gradebook: all of them, or none."""

from dataclasses import asdict, dataclass

from nbgrader.api import Student

from autograder.classroom.directory import ClassDirectory
from autograder.classroom.roster import Roster
from autograder.gradebook.writer import one_transaction


@dataclass(frozen=True)
class Enrolment:
    """What a roster did; `others` are in the gradebook, but not in the file."""

    added: list[str]
    changed: list[str]
    as_before: list[str]
    others: list[str]


def enrol(directory: ClassDirectory, roster: Roster) -> Enrolment:
    """Add and update students; nobody is removed, and a cell that is empty erases nothing."""
    added, changed, as_before = [], [], []
    with directory.locked("importing a roster"), directory.gradebook() as gradebook, one_transaction(gradebook):
        known = {student.id: student for student in gradebook.students}
        for person in roster.people:
            told = {name: value for name, value in asdict(person).items() if value}
            student = known.get(person.id)
            if student is None:
                gradebook.db.add(Student(**told))
                added.append(person.id)
            elif new := {name: value for name, value in told.items() if getattr(student, name) != value}:
                for name, value in new.items():
                    setattr(student, name, value)
                changed.append(person.id)
            else:
                as_before.append(person.id)
        others = sorted(known.keys() - {person.id for person in roster.people})
    return Enrolment(added, changed, as_before, others)
