"""The cell for Google Colab: in every notebook, silent elsewhere, and graded as nothing."""

import io
import json
import subprocess
import sys
import zipfile

import nbformat
import pytest

from autograder.course.colab import colab_cell
from autograder.course.submitted_notebook import rebuild
from autograder.course.units import find_unit, written_units
from autograder.demo.stories import fill_in, right_answers

UNIT = find_unit("01")
UPLOADED = "print(42)  # in the place of a library"

# A Colab of three lines: IPython, a module that hands over what a student chose, and what the cell leaves behind.
RUN = """
import json, sys, types
from IPython.core.interactiveshell import InteractiveShell

cell, chosen = json.loads(sys.stdin.read())
shell = InteractiveShell.instance()
shell.register_magic_function(lambda line: print("%pip", line), magic_name="pip")
if chosen is not None:
    files = types.ModuleType("google.colab.files")
    files.upload = lambda: {name: bytes.fromhex(data) for name, data in chosen.items()}
    google, colab = types.ModuleType("google"), types.ModuleType("google.colab")
    google.colab, colab.files = colab, files
    sys.modules |= {"google": google, "google.colab": colab}
result = shell.run_cell(cell)
result.raise_error()
"""


def run_cell(folder, chosen, after=""):
    """What the cell prints in a folder where the student chooses these files; None is a computer of one's own."""
    files = None if chosen is None else {name: data.hex() for name, data in chosen.items()}
    done = subprocess.run(
        [sys.executable, "-P", "-c", RUN + after],
        cwd=folder,
        input=json.dumps([colab_cell(UNIT).source, files]),
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def zipped(**files):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, text in files.items():
            archive.writestr(f"{UNIT.full_name}/course_lib/{name}.py", text)
    return data.getvalue()


def test_elsewhere_it_does_nothing(tmp_path):
    assert run_cell(tmp_path, None) == ""
    assert list(tmp_path.iterdir()) == []


def test_in_colab_it_unpacks_the_bundle_whatever_the_file_is_called(tmp_path):
    chosen = {"unit (1).zip": zipped(__init__=UPLOADED)}
    printed = run_cell(tmp_path, chosen, "import course_lib")
    assert "%pip install --quiet jaxtyping" in printed
    assert f"Choose {UNIT.full_name}.zip" in printed
    assert printed.splitlines()[-1] == "42"
    again = run_cell(tmp_path, {}, "import course_lib")  # the kernel was restarted: nothing is asked
    assert "Choose" not in again
    assert again.splitlines()[-1] == "42"


def test_in_colab_a_library_beside_the_notebook_is_enough(tmp_path):
    (tmp_path / "course_lib").mkdir()
    assert run_cell(tmp_path, {}) == ""


@pytest.mark.parametrize("chosen", [{}, {"notebook.ipynb": b"{}"}], ids=["nothing", "another file"])
def test_in_colab_another_file_is_answered_in_a_sentence(chosen, tmp_path):
    assert f"✗ No file {UNIT.full_name}.zip was uploaded. Run this cell again" in run_cell(tmp_path, chosen)


@pytest.mark.parametrize("unit", written_units(), ids=lambda unit: unit.full_name)
def test_every_notebook_has_it_before_any_other_code(unit):
    notebook = nbformat.read(unit.notebook, as_version=4)
    first = next(cell for cell in notebook.cells if cell.cell_type == "code")
    assert first.source == colab_cell(unit).source
    assert first.metadata == {}
    assert first.source.count("\n") < 25


def test_a_notebook_from_before_it_is_graded_all_the_same():
    released = nbformat.read(UNIT.notebook, as_version=4)
    solved = fill_in(released, right_answers(UNIT))
    older = nbformat.from_dict(solved)
    older.cells = [cell for cell in solved.cells if cell.source != colab_cell(UNIT).source]
    assert len(older.cells) == len(solved.cells) - 1
    rebuilt, repairs = rebuild(older, released)
    assert repairs == []
    graded = [cell for cell in rebuilt.cells if "nbgrader" in cell.metadata]
    assert graded == [cell for cell in rebuild(solved, released)[0].cells if "nbgrader" in cell.metadata]
