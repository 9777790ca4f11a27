"""The kernelspec of a class: any program that runs notebooks gets a kernel in the sandbox."""

import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook

from autograder.course.units import find_unit
from autograder.sandbox.provisioner import install_kernelspec, kernel_name

pytestmark = pytest.mark.xdist_group("session")
CELLS = (
    "import os, torch\nprint(os.getcwd(), os.listdir('/run/sockets'))",
    "try:\n    open('/run/sockets/x', 'w')\nexcept OSError:\n    print('read only')",
    "%matplotlib inline\ntorch.ones(2).sum()",
    "import course_lib.nn.attention",
)


def test_nbclient_runs_a_notebook_in_the_sandbox(tmp_path, monkeypatch):
    unit = find_unit("01")
    install_kernelspec(tmp_path, unit, "bwrap")
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))
    notebook = new_notebook(cells=[new_code_cell(source) for source in CELLS])
    NotebookClient(notebook, kernel_name=kernel_name(unit), allow_errors=True, timeout=60).execute()
    place, sealed, total, absent = ([*cell.outputs][-1] for cell in notebook.cells)
    assert place.text == "/home/student []\n"
    assert sealed.text == "read only\n"
    assert total.data["text/plain"] == "tensor(2.)"
    assert "holds answers of unit 01" in absent.evalue
