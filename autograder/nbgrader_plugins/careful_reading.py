"""What `nbgrader autograde` reads: submissions as `course grade` reads them; one that is refused costs no other."""

from pathlib import Path
from typing import Any, TextIO

from nbconvert.exporters import NotebookExporter
from nbgrader.converters.base import NbGraderException

from autograder.classroom.directory import ClassDirectory
from autograder.classroom.handed_in import read_handed_in
from autograder.course.safe_text import printable
from autograder.course.submitted_notebook import Rejected, read_notebook
from autograder.course.units import find_unit
from autograder.errors import CourseError
from autograder.outside_files import files_below


class CarefulExporter(NotebookExporter):
    """nbgrader makes its exporter before it opens a submission, and reads each notebook through it."""

    def __init__(self, **options: Any):
        super().__init__(**options)
        converter: Any = self.parent
        directory = ClassDirectory(Path(converter.coursedir.root))
        refused = {folder: _why_not(directory, Path(folder)) for folder in converter.assignments}
        lines = [f"{printable(Path(folder).parts[-2])} is not graded: {why}" for folder, why in refused.items() if why]
        for line in lines:
            self.log.error(line)
        converter.assignments = {
            folder: found for folder, found in converter.assignments.items() if not refused[folder]
        }
        if not converter.assignments:
            raise NbGraderException("; ".join(lines))

    def from_file(self, file_stream: TextIO, resources: Any = None, **options: Any) -> Any:
        """A notebook is mended as it is read; the preprocessor `Rebuild` lists the repairs."""
        notebook = read_notebook(file_stream.read().encode("utf-8", "surrogateescape"))
        return self.from_notebook_node(notebook, resources=resources, **options)


def _why_not(directory: ClassDirectory, folder: Path) -> str:
    """Why nbgrader must not open the folder of a submission, of which it copies every file; empty if it may."""
    student, name = folder.parts[-2:]
    try:
        read_notebook(read_handed_in(directory, find_unit(name), student))
        for _, refused in files_below(folder):
            if refused:
                raise refused
    except (CourseError, Rejected) as problem:
        return printable(str(problem))
    return ""
