"""A student at work: opens unit 01 in JupyterLab, errs, reads why, corrects it, validates, saves and is graded."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

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


@pytest.fixture
def notebook(lab, folder, open_page) -> Iterator[NotebookPage]:
    """The unit, open and with a kernel, as `course lab` puts it before a student."""
    with open_page() as page:
        page.goto(lab.start)
        notebook = NotebookPage(page, folder / "mine" / UNIT.notebook.name)
        notebook.wait_until_ready()
        yield notebook


def test_an_exercise_from_the_stub_to_full_marks(notebook, picture):
    page, checked = notebook.page, notebook.output(f"test_{EXERCISE}")
    assert page.url.endswith(f"/lab/tree/{notebook.path.name}")
    notebook.choose("Run", "Run All Cells")
    expect(notebook.output("cross_attention_shapes")).to_contain_text("NotImplementedError")
    notebook.wait_until_idle()

    notebook.run(EXERCISE)
    notebook.run(f"test_{EXERCISE}")
    expect(checked).to_contain_text(f"✗ {EXERCISE}")
    picture(page, "blank-check-light")

    wrong = answer(EXERCISE).replace(" / math.sqrt(q.shape[-1])", "")
    assert wrong != answer(EXERCISE)
    notebook.write(EXERCISE, wrong)
    notebook.run(EXERCISE)
    notebook.run(f"test_{EXERCISE}")
    expect(checked).to_contain_text("√d_k")
    checked.scroll_into_view_if_needed()
    picture(page, "diagnosis-light")

    notebook.write(EXERCISE, answer(EXERCISE))
    notebook.run(EXERCISE)
    notebook.run(f"test_{EXERCISE}")
    expect(checked).to_contain_text(f"✓ {EXERCISE}")
    expect(checked).not_to_contain_text("✗")
    picture(page, "passed-light")

    page.get_by_role("button", name="Validate").click()
    said = page.locator("#validation-message")
    expect(said).to_be_visible()
    expect(said).to_contain_text('check("cross_attention"')
    expect(said).not_to_contain_text(f'check("{EXERCISE}"')
    picture(page, "validate-light")
    page.get_by_role("button", name="Ok", exact=True).click()

    notebook.save()
    graded = {exercise.id: exercise for exercise in full_check(notebook.path).exercises}
    assert graded[EXERCISE].score == graded[EXERCISE].points == 8
    assert graded["cross_attention"].status == "not tried"


def test_the_shape_form_writes_an_answer_that_passes(notebook, picture):
    page, exercise = notebook.page, "cross_attention_shapes"
    notebook.run("import math\n\nimport torch")
    notebook.run("shape_form")
    form = notebook.output("shape_form")
    sheet = dict(re.findall(r'"(\w+)": "([\w ]+)"', answer(exercise)))
    fields = form.get_by_placeholder("dimensions")
    expect(fields).to_have_count(len(sheet))
    fields.nth(list(sheet).index("W_q")).fill("n_tgt d_q")
    fields.nth(list(sheet).index("Q")).fill(sheet["Q"])
    expect(form.get_by_role("status").filter(has_text="✗").first).to_be_visible()
    diagram = form.locator("img").last.get_attribute("src")
    for field, shape in zip(fields.all(), sheet.values(), strict=True):
        field.fill(shape)
    expect(form.get_by_role("status").filter(has_text="✓")).to_have_count(len(sheet))
    expect(form.locator("img").last).not_to_have_attribute("src", diagram)
    form.get_by_role("button", name="Write it as Python").click()
    written = form.get_by_placeholder("your sheet as Python appears here")
    expect(written).to_have_value(re.compile(r"\}$"))
    picture(page, "shape-form-light")
    notebook.write(exercise, written.input_value())
    notebook.run(exercise)
    notebook.run(f"test_{exercise}")
    expect(notebook.output(f"test_{exercise}")).to_contain_text(f"✓ {exercise}")


def test_a_slider_moves_the_picture_in_both_themes(notebook, picture):
    page, explorer = notebook.page, notebook.output("explore_attention")
    notebook.run("import math\n\nimport torch")
    notebook.run(EXERCISE)
    notebook.run("explore_attention")
    drawn = explorer.locator("img").last
    before = drawn.get_attribute("src")
    slider = explorer.get_by_role("slider").first
    slider.focus()
    slider.press("ArrowRight")
    expect(drawn).not_to_have_attribute("src", before)
    for theme in ("light", "dark"):
        if theme == "dark":
            notebook.choose("Settings", "Theme", "JupyterLab Dark")
            expect(page.locator("body")).to_have_attribute("data-jp-theme-light", "false")
        drawn.scroll_into_view_if_needed()
        picture(page, f"explorer-{theme}")
        notebook.cell("shape_form").scroll_into_view_if_needed()
        expect(notebook.cell("shape_form").locator(".cm-content")).to_be_in_viewport()
        picture(page, f"unit-01-{theme}")
