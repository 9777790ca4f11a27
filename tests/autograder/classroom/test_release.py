"""The bundle on a student's machine: no repository, no nbgrader, only what START_HERE names."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import nbformat
import pytest

from autograder.classroom.directory import init_class
from autograder.classroom.release import release_unit
from autograder.classroom.start_here import requirements, start_here
from autograder.course.notebooks import write_notebook
from autograder.demo.stories import fill_in

pytestmark = pytest.mark.slow

# Runs before anything else in the kernel: what a student's machine does not have cannot be imported.
STUDENT_MACHINE = """
import sys

class NotInstalled:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"autograder", "nbgrader", "jupytext", "typer", "rich", "beartype"}:
            raise ModuleNotFoundError(f"no module named {name!r} on a student's machine")

sys.meta_path[:] = [NotInstalled(), *(f for f in sys.meta_path if "editable" not in getattr(f, "__module__", ""))]
"""
WHERE = "import course_lib, json, os\nprint(json.dumps([course_lib.__file__, os.getcwd()]))"


@pytest.fixture
def unpacked(tmp_path, unit):
    bundle = release_unit(init_class(tmp_path / "class"), unit)
    elsewhere = tmp_path / "student"
    with zipfile.ZipFile(bundle) as archive:
        archive.extractall(elsewhere)
    return elsewhere / unit.full_name


def run(folder, notebook, tmp_path):
    startup = tmp_path / "startup"
    startup.mkdir(exist_ok=True)
    (startup / "sitecustomize.py").write_text(STUDENT_MACHINE)
    (folder / "run.ipynb").write_text(write_notebook(notebook), "utf-8")
    command = [sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute", "--inplace", "--allow-errors"]
    env = os.environ | {"PYTHONPATH": str(startup)}
    done = subprocess.run([*command, "run.ipynb"], cwd=folder, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return nbformat.read(folder / "run.ipynb", as_version=4)


def errors(notebook):
    return [o for cell in notebook.cells for o in cell.get("outputs", []) if o.output_type == "error"]


def test_solved_bundle_runs_without_the_repository(unpacked, unit, answers, tmp_path):
    notebook = fill_in(nbformat.read(unpacked / unit.notebook.name, as_version=4), answers)
    notebook.cells.append(nbformat.v4.new_code_cell(WHERE))
    notebook.cells.append(nbformat.v4.new_code_cell("import nbgrader"))
    done = run(unpacked, notebook, tmp_path)
    assert [error.evalue for error in errors(done)] == ["no module named 'nbgrader' on a student's machine"]
    library, folder = json.loads(done.cells[-2].outputs[0].text)
    assert Path(library) == Path(folder, "course_lib", "__init__.py")
    assert unpacked.samefile(folder)


def test_blank_bundle_explains_what_to_do_and_hides_the_answers(unpacked, unit, tmp_path):
    notebook = nbformat.read(unpacked / unit.notebook.name, as_version=4)
    notebook.cells.append(nbformat.v4.new_code_cell("from course_lib.nn.attention import cross_attention"))
    done = run(unpacked, notebook, tmp_path)
    *found, last = errors(done)
    assert "course_lib.nn.attention holds answers of unit 01" in last.evalue
    checks = [error for error in found if error.ename == "StubFound"]
    assert len(checks) == 9
    for error in checks:
        assert "yet" in error.evalue
        assert "Traceback" not in "\n".join(error.traceback)


def test_bundle_says_how_to_start(unpacked, unit):
    assert (unpacked / "START_HERE.md").read_text("utf-8") == start_here(unit)
    assert (unpacked / "requirements.txt").read_text("utf-8") == requirements()
