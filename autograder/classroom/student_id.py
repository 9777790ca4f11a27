"""Student ids, which become names of folders."""

import re
import unicodedata

from autograder.errors import CourseError

STUDENT = re.compile(r"\w([\w@. -]*[\w@.-])?")
LONGEST_ID = 100  # characters; nbgrader's columns hold 128


def require_student_id(student: str) -> str:
    """The id in Unicode form NFC; a CourseError if it is unsafe as a folder name, in nbgrader or in a spreadsheet.

    Accented letters have two encodings that look alike; without normalizing, one student could have two ids.
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
