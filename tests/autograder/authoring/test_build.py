"""The build: fresh, the same everywhere, and true to what the sources and exams say."""

import ast
import re
import subprocess
import sys

import nbformat
import pytest

from autograder.authoring import build as build_module
from autograder.authoring.build import build, build_solutions, stale_files
from autograder.course import notebooks
from autograder.course.cells import answer_cells, exercise_of, grade_id, is_answer, named_cells
from autograder.course.notebooks import RAISES, solution_notebook, student_notebook
from autograder.course.units import find_unit, written_units
from autograder.errors import CourseError
from autograder.exams import UNITS

UNIT = pytest.mark.parametrize("unit", written_units(), ids=lambda unit: unit.full_name)


def test_committed_files_are_fresh():
    assert stale_files() == []


def test_a_stale_or_left_over_file_is_named(tmp_path, monkeypatch):
    folder = tmp_path / "notebooks"
    folder.mkdir()
    (folder / "99_gone.ipynb").write_text("{}")
    monkeypatch.setattr(build_module, "ROOT", tmp_path)
    monkeypatch.setattr(build_module, "outputs", lambda: iter([(folder / "01.ipynb", "new")]))
    monkeypatch.setattr(build_module, "CARDS", tmp_path / "cards")
    monkeypatch.setattr(build_module, "QUIZZES", tmp_path / "quizzes")
    assert stale_files() == ["notebooks/01.ipynb", "notebooks/99_gone.ipynb"]
    build()
    assert stale_files() == []


def test_a_card_is_fresh_whatever_the_processor_rounds_and_stale_for_any_other_number(tmp_path, monkeypatch):
    monkeypatch.setattr(build_module, "ROOT", tmp_path)
    monkeypatch.setattr(build_module, "CARDS", tmp_path)
    monkeypatch.setattr(build_module, "QUIZZES", tmp_path / "quizzes")
    card = tmp_path / "unit_01.json"
    made = '{"numbers": [1.45839, 2, -0.5], "name": "a"}'
    monkeypatch.setattr(build_module, "outputs", lambda: iter([(card, made)]))
    rounded = made.replace("1.45839", "1.45838")
    card.write_text(rounded)
    assert stale_files() == []
    build()
    assert card.read_text() == rounded  # so that two machines do not write it back and forth
    for other in (made.replace("39", "49"), made.replace("2,", "3,"), made.replace("2,", "2.0,"), made[:-1]):
        card.write_text(other)
        assert stale_files() == ["unit_01.json"], other
        build()
        assert card.read_text() == made


def test_another_process_builds_the_same_bytes():
    code = """
import hashlib
from autograder.authoring.build import outputs
print(*(hashlib.sha256(text.encode()).hexdigest() for _, text in outputs()))
"""
    runs = {
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(runs) == 1
    assert len(runs.pop().split()) == 3 * len(written_units()) + 2  # the list of exercises, the syllabus


@UNIT
def test_student_notebook_is_bare(unit):
    notebook = nbformat.reads(unit.notebook.read_text("utf-8"), as_version=4)
    nbformat.validate(notebook)
    assert set(notebook.metadata) == {"kernelspec", "language_info"}
    for cell in notebook.cells:
        assert not cell.get("outputs")
        assert cell.get("execution_count") is None
        assert set(cell.metadata) <= {"nbgrader", "deletable", "editable", "tags"}
    ids = [cell.id for cell in notebook.cells]
    assert len(ids) == len(set(ids))


@UNIT
def test_from_the_first_answer_on_no_error_stops_run_all_in_a_student_notebook(unit):
    cells = nbformat.reads(unit.notebook.read_text("utf-8"), as_version=4).cells
    first = next(place for place, cell in enumerate(cells) if is_answer(cell))
    for place, cell in enumerate(cells):
        tags = [RAISES] if place >= first and cell.cell_type == "code" else None
        assert cell.metadata.get("tags") == tags, cell.source


def test_solutions_for_nbval_have_no_tag_that_would_hide_an_error(tmp_path):
    for path in build_solutions(tmp_path):
        assert RAISES not in path.read_text("utf-8")


def test_cell_ids_do_not_depend_on_other_cells():
    unit = find_unit("01")
    notebook = solution_notebook(unit)
    text = unit.source.read_text("utf-8")
    marker = "# %% [markdown]\n# ## 2"
    assert marker in text
    longer = text.replace(marker, "# %%\n1 + 1\n\n" + marker)

    class Longer:
        def read_text(self, encoding):
            return longer

    class LongerUnit:
        source, id, full_name = Longer(), unit.id, unit.full_name

    more = solution_notebook(LongerUnit())
    assert len({cell.id for cell in more.cells} - {cell.id for cell in notebook.cells} - {more.cells[0].id}) == 1


@UNIT
def test_every_exercise_is_announced_as_it_is_graded(unit):
    """Each graded cell belongs to an answer cell of its name, has its exam's points, and its heading says the same."""
    notebook = solution_notebook(unit)
    exams = {exam.exercise: exam for exam in UNITS[unit.id]}
    points = {exercise_of(n): c.metadata.nbgrader.points for n, c in named_cells(notebook) if c.metadata.nbgrader.grade}
    assert points.keys() == answer_cells(notebook).keys()
    assert {name: exam.points for name, exam in exams.items()} == {n: p for n, p in points.items() if n in exams}
    assert sum(points.values()) == unit.points
    text = "\n".join(cell.source for cell in notebook.cells)
    announced = re.findall(r"### Exercise \d+ · `(\w+)`\n\*\w[\w ]* · [●○]{3} · (\d+) minutes · (\d+) points?", text)
    assert {name: int(number) for name, _, number in announced} == points
    assert sum(int(minutes) for _, minutes, _ in announced) <= unit.minutes
    assert f"about {unit.minutes} minutes" in text
    assert f"**Points:** {unit.points:g}" in text


@UNIT
def test_every_exercise_has_three_hints(unit):
    notebook = solution_notebook(unit)
    for cell, following in zip(notebook.cells, notebook.cells[1:], strict=False):
        if is_answer(cell) and cell.cell_type == "code":
            assert [f"Hint {i}:" in following.source for i in (1, 2, 3)] == [True] * 3, grade_id(cell)
            assert following.source.count("<details>") == following.source.count("</details>") == 3


@UNIT
def test_cells_are_short_and_imports_come_first(unit):
    code = [cell.source for cell in solution_notebook(unit).cells if cell.cell_type == "code"]
    for source in code:
        student = re.sub(r"### BEGIN SOLUTION.*?### END SOLUTION", "…", source, flags=re.DOTALL)
        most = 40 if source.startswith("class ") else 25  # a class that is given in part cannot be cut in two
        assert student.count("\n") < most, source
    later = code[2:]  # the first is for Colab, the second imports
    visible = [re.sub(r"### BEGIN HIDDEN TESTS.*?### END HIDDEN TESTS", "", s, flags=re.DOTALL) for s in later]
    for source in visible:
        assert not any(isinstance(node, ast.Import | ast.ImportFrom) for node in ast.walk(ast.parse(source))), source


@UNIT
def test_map_marks_this_unit_and_only_this_one(unit):
    opening = solution_notebook(unit).cells[0].source
    assert opening.count("▶") == 1
    assert f"**▶ {unit.id}**" in opening
    assert notebooks.MAP_MARK not in opening


def test_source_that_nbgrader_refuses_is_named(monkeypatch):
    unit = find_unit("01")
    broken = solution_notebook(unit)
    broken.cells[1].source = "### BEGIN SOLUTION\n1\n### END SOLUTION"
    monkeypatch.setattr(notebooks, "solution_notebook", lambda unit: broken)
    with pytest.raises(CourseError, match=r"01_cross_attention_shapes.py cannot be built: Solution region"):
        student_notebook(unit)


def test_units_are_found_by_number_and_name():
    unit = find_unit("01")
    assert (
        find_unit("1") == find_unit("01_cross_attention_shapes") == find_unit("01_cross_attention_shapes.ipynb") == unit
    )
    with pytest.raises(CourseError, match="there is no unit '42'; the units are: 00_start_here, 01_"):
        find_unit("42")
