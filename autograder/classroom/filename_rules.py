"""Infer the student from the path of a file; a zip file counts as a folder. The first rule that matches:

    NAME_12345_67890_…                  Canvas (NAME_LATE_12345_67890_… when late); the student is 12345
    NAME_12345_assignsubmission_file_…  Moodle, as a file or as a folder; the student is 12345
    STUDENT_UNIT, UNIT_STUDENT          where UNIT is the unit's full name
    STUDENT/…/UNIT.ipynb                the nearest folder that is not itself called UNIT
    STUDENT.ipynb                       outside any folder

UNIT may carry what browsers and Canvas add to a second copy: "-1", " (1)".
"""

import re
from pathlib import PurePosixPath

from autograder.course.units import Unit
from autograder.errors import CourseError

COPY = r"(?:-\d+| ?\(\d+\))?"
CANVAS = r"[^_]+(?:_LATE)?_(?P<student>\d+)_\d+_.+"
MOODLE = r".*?_(?P<student>\d+)_assignsubmission_file.*"


def read_rule(pattern: str) -> re.Pattern[str]:
    """Compile an instructor's pattern; a CourseError if it is invalid or has no group named student."""
    example = r"such as 'group\d+-(?P<student>\w+)-'"
    try:
        rule = re.compile(pattern)
    except re.error as error:
        raise CourseError(
            f"the pattern {pattern} is not a regular expression ({error}): write one, {example}"
        ) from None
    if "student" not in rule.groupindex:
        raise CourseError(f"the pattern {pattern} does not say which part is the student: name a group, {example}")
    return rule


def _own_patterns(name: str) -> tuple[str, str]:
    return rf"(?P<student>.+?)[_-]{name}", rf"{name}[_-](?P<student>.+)"


def student_of(path: str, unit: Unit, rule: re.Pattern[str] | None = None) -> str:
    """The student named by a path, by the instructor's rule or else the rules above; a CourseError if none matches."""
    if rule is not None:
        match = rule.search(path)
        if match is None or match["student"] is None:
            raise CourseError(f"the pattern {rule.pattern} does not fit {path}")
        return match["student"]
    name = re.escape(unit.full_name) + COPY
    *folders, last = [re.sub(r"\.(ipynb|zip)$", "", part) for part in PurePosixPath(path).parts] or [""]
    # the outermost part that an LMS wrote counts: what is below it, or behind it in a name, a student has written
    by_lms = [(part, pattern) for part in (*folders, last) for pattern in (CANVAS, MOODLE)]
    own = [(part, pattern) for pattern in _own_patterns(name) for part in (*folders, last)]
    for part, pattern in (*by_lms, *own):
        if match := re.fullmatch(pattern, part, flags=re.DOTALL):
            return match["student"]
    folders = [folder for folder in folders if not re.fullmatch(name, folder)]
    if folders:
        return folders[-1]
    if re.fullmatch(name, last):
        raise CourseError(f"{path} does not say whose it is: put it in a folder named after the student")
    return last
