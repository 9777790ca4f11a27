"""*Run All* in a student notebook: to the end and the progress panel, though nothing is answered yet."""

import pytest
from nbclient import NotebookClient

from autograder.course.notebooks import student_notebook
from autograder.course.units import find_unit

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("number", ["00", "01"])
def test_a_blank_notebook_runs_to_its_panel(number, tmp_path, monkeypatch):
    """nbclient stops at an error, as a front end does, unless the cell has the tag that both heed."""
    monkeypatch.setenv("NBGRADER_EXECUTION", "")
    notebook = student_notebook(find_unit(number))
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    code = [cell for cell in notebook.cells if cell.cell_type == "code" and cell.source.strip()]
    assert all(cell.execution_count for cell in code)
    panel = next(cell for cell in code if cell.source == f'progress("{number}")')
    shown = panel.outputs[0]["data"]["text/plain"]
    assert "0 points: checks pass" in shown
    assert "not tried" in shown
    errors = [output for cell in code for output in cell.outputs if output.output_type == "error"]
    blank = [error for error in errors if error.ename == "NotImplementedError"]
    assert blank
    for error in blank:
        assert "\n".join(error.traceback).startswith(("`", "This answer is still blank"))
