"""An ordinary Jupyter kernel for one notebook: this Python, the student edition of the unit, and an empty folder."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellTimeoutError, DeadKernelError
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_notebook

from autograder.course.student_library import student_edition
from autograder.course.units import Unit

# a debugger that nobody uses here would warn, and an outer grader is none of the checks' business
SETTINGS = {"PYDEVD_DISABLE_FILE_VALIDATION": "1", "NBGRADER_EXECUTION": ""}


class Stopped(Exception):
    """The kernel is lost; the sentence says why, as the end of one about its code."""


class OwnKernel(NotebookClient):
    """A kernel that needs no kernelspec: whatever "python3" is on this machine, the kernel is this Python's."""

    def create_kernel_manager(self) -> AsyncKernelManager:
        self.km = AsyncKernelManager(kernel_spec_manager=KernelSpecManager(kernel_dirs=[]))
        return self.km

    def error_of(self, source: str) -> NotebookNode | None:
        """Run a cell; the error that stopped it, if one did. Raises Stopped when there is no kernel left."""
        return next((output for output in self._outputs(source) if output.output_type == "error"), None)

    def printed_by(self, source: str) -> str:
        """Run a cell; what it prints."""
        return "".join(output.text for output in self._outputs(source) if output.get("name") == "stdout")

    def _outputs(self, source: str) -> list[NotebookNode]:
        cell = new_code_cell(source)
        self.nb.cells = [cell]
        try:
            self.execute_cell(cell, 0)
        except CellTimeoutError:
            raise Stopped(f"ran longer than {self.timeout:g} s: is there an endless loop?") from None
        except DeadKernelError:
            raise Stopped("ended the kernel: does it exit the process or use up the memory?") from None
        return list(cell.outputs)


@contextmanager
def own_kernel(unit: Unit, seconds: float) -> Iterator[OwnKernel]:
    """A kernel in which each cell may run for so many seconds."""
    with TemporaryDirectory(prefix="course-check-", ignore_cleanup_errors=True) as folder:
        for path, text in student_edition(unit).items():
            file = Path(folder, "edition", path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, "utf-8")
        home = Path(folder, "home")
        home.mkdir()
        settings = SETTINGS | {"PYTHONPATH": str(Path(folder, "edition")), "IPYTHONDIR": str(Path(folder, "ipython"))}
        kernel = OwnKernel(new_notebook(), timeout=seconds, allow_errors=True, shutdown_kernel="immediate")
        with kernel.setup_kernel(cwd=str(home), env=os.environ | settings, stderr=subprocess.DEVNULL):
            yield kernel
