"""Preprocessors of `nbgrader autograde` that replace nbgrader's own; `configure` installs them."""

from functools import partial
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor, SaveAutoGrades
from nbgrader.utils import is_task
from traitlets import Enum, Integer

from autograder.classroom.directory import ClassDirectory
from autograder.course.submitted_notebook import add_repairs, rebuild
from autograder.course.units import find_unit
from autograder.examiner.assignment import limits_of
from autograder.examiner.grade_submission import is_untouched
from autograder.examiner.sealed_grading import grade_notebook
from autograder.gradebook.writer import enter_score, leave_rubric
from autograder.sandbox.command import SANDBOXES
from autograder.sandbox.zygote_pool import new_kernel


class Rebuild(NbGraderPreprocessor):
    """Before grading: rebuild a submission on its release, and list the repairs for the student."""

    def preprocess(self, nb: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        coursedir = self.parent.parent.coursedir
        names = resources["nbgrader"]
        folder = coursedir.format_path(coursedir.release_directory, ".", names["assignment"])
        released = nbformat.read(Path(folder) / f"{names['notebook']}.ipynb", as_version=4)
        nb, repairs = rebuild(nb, released)
        add_repairs(nb, repairs)
        return nb, resources


class SealedExecute(NbGraderPreprocessor):
    """Replaces nbgrader's Execute: runs graded cells in this process, all others in a sandboxed kernel."""

    sandbox = Enum(SANDBOXES, "bwrap", help="Where submissions run: in bubblewrap, or with no sandbox.").tag(
        config=True
    )
    timeout = Integer(0, help="Time limit for a cell, in seconds. Defaults to the unit's (0).").tag(config=True)

    def preprocess(self, nb: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        names = resources["nbgrader"]
        directory, unit = ClassDirectory(Path(self.parent.parent.coursedir.root)), find_unit(names["assignment"])
        sealed = grade_notebook(
            nb,
            directory.seed(names["student"], unit),
            partial(new_kernel, unit, self.sandbox),
            limits_of(unit, self.timeout),
        )
        for problem in sealed.problems:
            self.log.warning("%s: %s", names["student"], problem)
        return nb, resources | {"verdicts": sealed.verdicts}


class SaveVerdicts(SaveAutoGrades):
    """Replaces SaveAutoGrades: points come from the examiner's verdicts, not from a cell's outputs."""

    def _add_score(self, cell: NotebookNode, resources: dict) -> None:
        name = cell.metadata.nbgrader["grade_id"]
        grade = self.gradebook.find_grade(name, self.notebook_id, self.assignment_id, self.student_id)
        enter_score(grade, resources["verdicts"], answered=not is_untouched(cell))
        self.gradebook.db.commit()

    def _add_comment(self, cell: NotebookNode, resources: dict) -> None:
        super()._add_comment(cell, resources)
        if is_task(cell):
            name = cell.metadata.nbgrader["grade_id"]
            leave_rubric(self.gradebook.find_grade(name, self.notebook_id, self.assignment_id, self.student_id))
            self.gradebook.db.commit()
