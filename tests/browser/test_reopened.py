"""A notebook with widgets, saved and opened again: without its kernel, in another program, or as a page."""

import json
import re
from pathlib import Path
from urllib.request import Request, urlopen

import nbformat
import pytest
from nbconvert import HTMLExporter
from playwright.sync_api import Locator, Page, expect

from browser.conftest import PATIENCE
from browser.notebook_page import NotebookPage, new_notebook
from browser.server import Server

pytestmark = pytest.mark.xdist_group("browser")

CELLS = (
    "import torch\n\nfrom course_lib.widgets import explore_softmax, quiz, shape_form",
    'quiz("doubled_input")',
    'shape_form("matmul_shapes")',
    "explore_softmax(torch.softmax)",
)
RIGHT, REASON, WRONG = "8 f(X)", "✓ Right.", "✗ Not quite."
MOST_BUTTONS = 10
# what Notebook 7 says about its own parts: a missing setting, a command of JupyterLab and a font
OF_NOTEBOOK_7 = ("reading 'schema'", "filebrowser:open-path", "/static/notebook/")
NOT_FOUND = ("widget model not found", "model not found", "Could not create a model")


@pytest.fixture(scope="module")
def saved(lab: Server, student_folder: Path, browser) -> Path:
    """A notebook in which a quiz was answered, a form begun and a slider moved; its kernel is gone."""
    path = student_folder / "widgets.ipynb"
    nbformat.write(new_notebook(CELLS), path)
    page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(lab.fresh(f"/lab/tree/{path.name}"))
    notebook = NotebookPage(page, path)
    notebook.wait_until_ready()
    notebook.choose("Run", "Run All Cells")
    answer_by_keyboard(page, notebook.output("quiz"))
    notebook.output("shape_form").get_by_label("W", exact=True).fill("d d_k")
    explorer = notebook.output("explore_softmax")
    explorer.get_by_role("checkbox").uncheck()
    for name in ("quiz", "shape_form", "explore_softmax"):
        expect(stand_in(notebook.output(name))).to_be_hidden()
    expect(stand_in(explorer)).to_contain_text("√d_k: no")
    expect(stand_in(notebook.output("shape_form")).locator("img")).to_have_attribute(
        "alt", re.compile("W has shape .d,")
    )
    notebook.save()
    page.context.close()
    stop_kernels(lab)
    return path


def test_opened_again_it_can_be_read_and_run(saved, lab, open_page, picture):
    """JupyterLab finds no widget any more, and would say so in place of everything else."""
    with open_page(allow=NOT_FOUND) as page:
        page.goto(lab.fresh(f"/lab/tree/{saved.name}"))
        notebook = NotebookPage(page, saved)
        notebook.wait_until_ready()
        can_be_read(notebook)
        for name in ("quiz", "shape_form", "explore_softmax"):
            remnant = notebook.output(name).get_by_text("Error displaying widget")
            expect(remnant).to_be_attached()
            expect(remnant).to_be_hidden()
        picture(page, "reopened")
        notebook.choose("Run", "Run All Cells")
        expect(notebook.output("quiz").get_by_role("radio").first).to_be_visible()
        expect(stand_in(notebook.output("quiz"))).to_be_hidden()


def can_be_read(notebook: NotebookPage) -> None:
    expect(stand_in(notebook.output("quiz")).get_by_text(RIGHT)).to_be_visible()
    expect(stand_in(notebook.output("quiz")).get_by_text("Run this cell")).to_be_visible()
    expect(stand_in(notebook.output("shape_form")).get_by_alt_text("W has shape (d, d_k)")).to_be_visible()
    expect(stand_in(notebook.output("explore_softmax"))).to_contain_text("√d_k: no")
    expect(notebook.output("explore_softmax").locator("img")).to_be_visible()


def test_somebody_elses_notebook_can_be_read(saved, lab, open_page, picture):
    """JupyterLab does not trust it: it shows no widget, and cleans what it shows."""
    other = saved.with_name("theirs.ipynb")
    other.write_text(saved.read_text("utf-8").replace("import torch", "import  torch"), "utf-8")
    with open_page() as page:
        page.goto(lab.fresh(f"/lab/tree/{other.name}"))
        notebook = NotebookPage(page, other)
        notebook.wait_until_ready()
        can_be_read(notebook)
        picture(page, "reopened-untrusted")


def test_as_a_page_it_can_be_read(saved, open_page, picture, tmp_path):
    page_of_it, _ = HTMLExporter(embed_images=True).from_filename(saved)
    path = tmp_path / "widgets.html"
    path.write_text(page_of_it, "utf-8")
    with open_page(allow=("ERR_",)) as page:
        page.route(re.compile("^https?:"), lambda route: route.abort())  # fonts and formulas of its template
        page.goto(path.as_uri())
        for text in (RIGHT, "Run this cell to answer.", "√d_k: no"):
            expect(page.get_by_text(text).first).to_be_visible()
        expect(page.get_by_alt_text("W has shape (d, d_k)")).to_be_visible()
        picture(page, "reopened-page", full_page=True)


def test_what_is_saved_says_no_answer(saved):
    text = saved.read_text("utf-8")
    assert "doubled_input" in text
    assert REASON not in text
    assert WRONG not in text


def test_in_notebook_7_it_works_too(saved, lab, open_page, picture):
    with open_page(allow=(*NOT_FOUND, *OF_NOTEBOOK_7)) as page:
        page.goto(lab.url(f"/notebooks/{saved.name}"))
        notebook = NotebookPage(page, saved)
        expect(notebook.cells.first).to_be_visible()
        notebook.wait_for_kernel()
        notebook.wait_until_idle()
        notebook.choose("Run", "Run All Cells")
        answer_by_keyboard(page, notebook.output("quiz"))
        notebook.output("shape_form").get_by_label("W", exact=True).fill("nothing")
        expect(notebook.output("shape_form").get_by_role("status").filter(has_text="✗")).to_be_visible()
        explorer = notebook.output("explore_softmax")
        expect(stand_in(explorer)).to_be_hidden()
        drawn = explorer.locator("img").last
        before = drawn.get_attribute("src")
        explorer.get_by_role("slider").first.press("PageUp")  # the arrows move between cells here
        expect(drawn).not_to_have_attribute("src", before)
        picture(page, "notebook-7")


def stand_in(output: Locator) -> Locator:
    return output.locator("[class^=course-stand-in-]")


def answer_by_keyboard(page: Page, quiz: Locator) -> None:
    """Tab to each choice and take it with the space bar; a screen reader is told the choice and then the reason."""
    quiz.get_by_text("Practice:").first.click()
    choices = quiz.get_by_role("radio")
    for _ in range(MOST_BUTTONS):  # a cell has buttons of its own, which come first
        page.keyboard.press("Tab")
        if choices.first.evaluate("choice => choice === document.activeElement"):
            break
    page.keyboard.press("Space")
    expect(choices.first).to_be_checked()
    expect(quiz.get_by_role("status")).to_contain_text(WRONG)
    for choice in choices.all()[1:]:
        page.keyboard.press("Tab")
        page.keyboard.press("Space")
        expect(choice).to_be_checked()
    expect(quiz.get_by_role("radio", name=RIGHT)).to_be_checked()
    expect(quiz.get_by_role("status")).to_contain_text(REASON)


def stop_kernels(lab: Server) -> None:
    headers = {"Authorization": f"token {lab.token}"}
    with urlopen(Request(f"{lab.address}/api/sessions", headers=headers)) as answer:
        sessions = json.load(answer)
    for session in sessions:
        urlopen(Request(f"{lab.address}/api/sessions/{session['id']}", headers=headers, method="DELETE")).close()
