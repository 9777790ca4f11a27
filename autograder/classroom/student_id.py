"""The id of a student, which becomes the name of a folder."""

import re
import unicodedata

from autograder.errors import CourseError

STUDENT = re.compile(r"\w([\w@. -]*[\w@.-])?")
LONGEST_ID = 100  # letters: nbgrader holds no more than 128


def require_student_id(student: str) -> str:
    """The id, if it is safe as the name of a folder, in nbgrader's patterns and in a spreadsheet.

    Letters with accents come in two forms that look the same; an id has them in the composed one.
    """
    student = unicodedata.normalize("NFC", student)
    if not STUDENT.fullmatch(student):
        raise CourseError(
            f"{student!r} cannot be a student id: use letters, digits, spaces and . _ @ - "
            "(a letter, a digit or _ in front, no space at the end)"
        )
    if len(student) > LONGEST_ID or len(student.encode()) > 2 * LONGEST_ID:
        raise CourseError(f"{student[:20]!r}… cannot be a student id: it is longer than {LONGEST_ID} letters")
    return student
