"""A student at work: opens unit 01 in JupyterLab, errs, reads why, corrects it, validates, saves and is graded."""

import re

import pytest
from playwright.sync_api import Locator, expect

from autograder.course.cells import grade_id
from autograder.course.notebooks import solution_notebook
from autograder.course.units import find_unit
from autograder.grading.full_check import full_check
from browser.notebook_page import NotebookPage

pytestmark = pytest.mark.xdist_group("browser")

EXERCISE, SHEET = "scaled_dot_product_attention", "cross_attention_shapes"
IMPORTS = "import math\n\nimport torch"


def answer(exercise: str) -> str:
    cells = solution_notebook(find_unit("01")).cells
    source = next(cell.source for cell in cells if grade_id(cell) == exercise)
    return "\n".join(line for line in source.split("\n") if "### " not in line)


def test_two_exercises_from_the_stub_to_full_marks(notebook, picture):
    page, checked = notebook.page, notebook.output(f"test_{EXERCISE}")
    assert page.url.endswith(f"/lab/tree/{notebook.path.name}")
    notebook.choose("Run", "Run All Cells")
    expect(notebook.output(SHEET)).to_contain_text("This answer is still blank")
    expect(notebook.output("progress")).to_contain_text("0 points: checks pass")
    notebook.wait_until_idle()
    picture(notebook.output("progress"), "progress-blank")

    notebook.run(EXERCISE)
    notebook.run(f"test_{EXERCISE}")
    expect(checked).to_contain_text(f"{EXERCISE} is not written yet")
    expect(checked).not_to_contain_text("✗")
    picture(page, "blank-check-light")

    wrong = answer(EXERCISE).replace(" / math.sqrt(q.shape[-1])", "")
    assert wrong != answer(EXERCISE)
    notebook.write(EXERCISE, wrong)
    notebook.run(EXERCISE)
    notebook.run(f"test_{EXERCISE}")
    expect(checked).to_contain_text("√d_k")
    words, drawn = checked.locator("pre").first, checked.locator("img").first
    assert words.bounding_box()["y"] < drawn.bounding_box()["y"]
    checked.scroll_into_view_if_needed()
    picture(page, "diagnosis-light")

    notebook.write(EXERCISE, answer(EXERCISE))
    notebook.run(EXERCISE)
    notebook.run(f"test_{EXERCISE}")
    expect(checked).to_contain_text(f"✓ {EXERCISE}")
    expect(checked).not_to_contain_text("✗")
    picture(page, "passed-light")

    notebook.run("explore_attention")
    move_a_slider(notebook.output("explore_attention"))
    notebook.run("shape_form")
    notebook.write(SHEET, fill_in_the_form(notebook, picture))
    notebook.run(SHEET)
    notebook.run(f"test_{SHEET}")
    expect(notebook.output(f"test_{SHEET}")).to_contain_text(f"✓ {SHEET}")

    page.get_by_role("button", name="Validate").click()
    said = page.locator("#validation-message")
    expect(said).to_be_visible()
    expect(said).to_contain_text('check("cross_attention"')
    expect(said).not_to_contain_text(f'check("{EXERCISE}"')
    expect(said).not_to_contain_text(f'check("{SHEET}"')
    picture(page, "validate-light")
    page.get_by_role("button", name="Ok", exact=True).click()

    notebook.save()
    graded = {exercise.id: exercise for exercise in full_check(notebook.path).exercises}
    assert graded[EXERCISE].score == graded[EXERCISE].points == 8
    assert graded[SHEET].score == graded[SHEET].points == 6
    assert graded["cross_attention"].status == "not tried"


def move_a_slider(explorer: Locator) -> None:
    drawn = explorer.locator("img").last
    before = drawn.get_attribute("src")
    slider = explorer.get_by_role("slider").first
    slider.focus()
    slider.press("ArrowRight")
    expect(drawn).not_to_have_attribute("src", before)


def fill_in_the_form(notebook: NotebookPage, picture) -> str:
    """Type a wrong shape, read why, and then all the right ones from top to bottom; what the button writes."""
    form = notebook.output("shape_form")
    sheet = dict(re.findall(r'"(\w+)": "([\w ]+)"', answer(SHEET)))
    fields = form.get_by_placeholder("dimensions")
    expect(fields).to_have_count(len(sheet))
    form.get_by_label("W_k").fill(sheet["W_k"])
    form.get_by_label("K", exact=True).fill("B n_tgt d_q")
    expect(form.get_by_role("status").filter(has_text="✗ K is made from X_src")).to_be_visible()
    expect(on_its_arrow(form, "K")).to_have_css("border-style", "dashed")
    form.scroll_into_view_if_needed()
    picture(notebook.page, "shape-form-wrong-light")
    form.get_by_label("W_q").focus()
    for name in sheet:
        expect(form.get_by_label(name, exact=True)).to_be_focused()
        notebook.page.keyboard.press("Control+a")
        notebook.page.keyboard.insert_text(sheet[name])
        notebook.page.keyboard.press("Tab")
    expect(form.get_by_role("status").filter(has_text="✓")).to_have_count(len(sheet))
    form.get_by_role("button", name="Write it as Python").press("Enter")
    written = form.get_by_placeholder("your sheet as Python appears here")
    expect(written).to_have_value(re.compile(r"\}$"))
    picture(notebook.page, "shape-form-light")
    return written.input_value()


def on_its_arrow(form: Locator, tensor: str) -> Locator:
    """The field of a tensor, which has a piece of its arrow above it and one below, in line with its middle."""
    field = form.get_by_label(tensor, exact=True)
    place = field.bounding_box()
    middle = place["x"] + place["width"] / 2
    lines = [line.bounding_box() for line in form.locator(".course-line").all()]
    ours = [line for line in lines if abs(line["x"] + line["width"] / 2 - middle) < 2]
    assert any(line["y"] < place["y"] for line in ours)
    assert any(line["y"] > place["y"] for line in ours)
    return field


def test_everything_can_be_read_in_both_themes_and_in_a_narrow_window(notebook, picture):
    page = notebook.page
    shown = {"shape_form": "form", "explore_attention": "explorer", "quiz": "quiz", "progress": "progress"}
    for cell in (IMPORTS, EXERCISE, *shown):
        notebook.run(cell)
    for theme in ("light", "dark"):
        notebook.choose("Settings", "Theme", f"JupyterLab {theme.title()}")
        notebook.wait_for_theme(theme)
        for width in (1280, 700):
            page.set_viewport_size({"width": width, "height": 900})
            for cell, name in shown.items():
                output = notebook.output(cell)
                notebook.bring_into_view(output)
                wide = output.evaluate("box => box.scrollWidth - box.clientWidth")
                assert wide <= 1, f"{name} is {wide} pixels wider than a window of {width}"
                picture(output, f"{name}-{theme}-{width}")
            notebook.bring_into_view(notebook.cell("shape_form").locator(".cm-content"))
            picture(page, f"unit-01-{theme}-{width}")
        page.set_viewport_size({"width": 1280, "height": 900})
