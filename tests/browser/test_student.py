"""A student at work: opens unit 01 in JupyterLab, errs, reads why, corrects it, validates, saves and is graded."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from autograder.assignment import Limits
from autograder.build import solution_notebook
from autograder.check_notebook import full_check
from autograder.course import find_unit
from autograder.submission import grade_id
from browser.notebook_page import NotebookPage
from browser.server import COURSE, Server, running

pytestmark = pytest.mark.xdist_group("browser")

EXERCISE = "scaled_dot_product_attention"
UNIT = find_unit("01")


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("student")


@pytest.fixture(scope="module")
def lab(browser, folder) -> Iterator[Server]:
    command = [*COURSE, "lab", "01", "--folder", folder / "mine", "--no-browser", "--port", "0", "--allow-root"]
    with running(list(map(str, command)), folder, folder / "home") as server:
        yield server


def answer(exercise: str) -> str:
    source = next(cell.source for cell in solution_notebook(UNIT).cells if grade_id(cell) == exercise)
    return "\n".join(line for line in source.split("\n") if "### " not in line)


def test_an_exercise_from_the_stub_to_full_marks(lab, folder, open_page, picture):
    path = folder / "mine" / UNIT.notebook.name
    with open_page() as page:
        page.goto(lab.start)
        notebook = NotebookPage(page, path)
        notebook.wait_until_ready()
        assert page.url.endswith(f"/lab/tree/{path.name}")
        notebook.choose("Run", "Run All Cells")
        expect(notebook.output("cross_attention_shapes")).to_contain_text("NotImplementedError")
        notebook.wait_until_idle()

        notebook.run(EXERCISE)
        notebook.run(f"test_{EXERCISE}")
        expect(notebook.output(f"test_{EXERCISE}")).to_contain_text(f"✗ {EXERCISE}")
        picture(page, "blank-check-light")

        wrong = answer(EXERCISE).replace(" / math.sqrt(q.shape[-1])", "")
        assert wrong != answer(EXERCISE)
        notebook.write(EXERCISE, wrong)
        notebook.run(EXERCISE)
        notebook.run(f"test_{EXERCISE}")
        expect(notebook.output(f"test_{EXERCISE}")).to_contain_text("√d_k")
        picture(page, "diagnosis-light")

        notebook.write(EXERCISE, answer(EXERCISE))
        notebook.run(EXERCISE)
        notebook.run(f"test_{EXERCISE}")
        expect(notebook.output(f"test_{EXERCISE}")).to_contain_text(f"✓ {EXERCISE}")
        expect(notebook.output(f"test_{EXERCISE}")).not_to_contain_text("✗")
        picture(page, "passed-light")
        notebook.save()
    result = full_check(path, "bwrap", Limits())
    graded = {exercise.id: exercise for exercise in result.exercises}
    assert graded[EXERCISE].score == graded[EXERCISE].points == 8
    assert graded["cross_attention"].status == "not tried"
