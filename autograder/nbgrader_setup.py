"""How nbgrader works in a class directory; its nbgrader_config.py calls `configure`."""

from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbgrader.preprocessors import (
    CheckCellMetadata,
    ClearOutput,
    NbGraderPreprocessor,
    OverwriteCells,
    OverwriteKernelspec,
)
from traitlets.config import Config

from autograder.submission import rebuild

SECONDS_FOR_A_CELL = 60


class Rebuild(NbGraderPreprocessor):
    """Before grading, rebuild a submission on its release, and tell the student what was repaired."""

    def preprocess(self, nb: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        coursedir = self.parent.parent.coursedir
        names = resources["nbgrader"]
        folder = coursedir.format_path(coursedir.release_directory, ".", names["assignment"])
        released = nbformat.read(Path(folder) / f"{names['notebook']}.ipynb", as_version=4)
        nb, repairs = rebuild(nb, released)
        if repairs:
            lines = "\n".join(f"- {repair}" for repair in repairs)
            text = f"**Before grading, this notebook was repaired:**\n\n{lines}"
            nb.cells.insert(0, nbformat.v4.new_markdown_cell(text, id="repairs"))
        return nb, resources


def configure(config: Config, config_file: str) -> None:
    """Point nbgrader at the class directory that holds the file, wherever it is moved."""
    root = Path(config_file).resolve().parent
    config.CourseDirectory.root = str(root)
    config.CourseDirectory.course_id = root.name
    # A student edition that was handed in must not stand in the way of the installed course_lib.
    config.CourseDirectory.ignore = [".ipynb_checkpoints", "*.pyc", "__pycache__", "feedback", "course_lib"]
    config.Autograde.sanitize_preprocessors = [
        ClearOutput,
        Rebuild,
        OverwriteKernelspec,
        OverwriteCells,
        CheckCellMetadata,
    ]
    config.Execute.timeout = SECONDS_FOR_A_CELL
    config.Execute.extra_arguments = ["--HistoryManager.hist_file=:memory:", "--IPKernelApp.log_level=ERROR"]
