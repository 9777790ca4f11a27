"""A preprocessor for every nbgrader step that writes files for students."""

from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor

from autograder.classroom.canary import require_no_canary
from autograder.classroom.directory import ClassDirectory


class RefuseCanaries(NbGraderPreprocessor):
    """Fails if the notebook contains the class's canary, which every hidden test carries."""

    def preprocess(self, nb: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        directory = ClassDirectory(Path(self.parent.parent.coursedir.root))
        require_no_canary(resources["nbgrader"]["notebook"], nbformat.writes(nb), directory.canary)
        return nb, resources
