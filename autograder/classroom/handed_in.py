"""What a student has handed in, read as files of others' are: the notebook, and the notes beside it."""

from autograder.classroom.directory import ClassDirectory
from autograder.classroom.notes import read_notes
from autograder.classroom.student_id import require_student_id
from autograder.course.safe_text import printable
from autograder.course.submitted_notebook import LARGEST_FILE, Rejected, without_huge_outputs
from autograder.course.units import Unit
from autograder.errors import CourseError
from autograder.outside_files import Missing, Refused, read_below


def read_handed_in(directory: ClassDirectory, unit: Unit, student: str) -> bytes:
    """The notebook's file, without outputs that make it huge; a CourseError or Rejected if it is not to be graded."""
    if (composed := require_student_id(student)) != student:
        raise CourseError(f"its folder has accents in another Unicode form than ids have: rename it to {composed}")
    path = directory.submission(student, unit)
    try:
        data = read_below(directory.submitted, path, LARGEST_FILE)
        directory.timestamp(path.parent)  # one that cannot be read must not become one that is not late
        read_notes(directory.submitted, path.parent)
    except Missing:
        raise Rejected(f"{path.name} is missing in {path.parent}; {_found_instead(directory, unit, student)}") from None
    except Refused as problem:
        raise Rejected(str(problem)) from None
    return without_huge_outputs(data)


def _found_instead(directory: ClassDirectory, unit: Unit, student: str) -> str:
    try:
        names = sorted(path.name for path in directory.submission(student, unit).parent.iterdir())
    except OSError:
        names = []
    there = [printable(name)[:100] for name in names if name.endswith(".ipynb")]
    return f"found {', '.join(there[:5])} instead" if there else "there is no notebook at all"
