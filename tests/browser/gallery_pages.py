"""The explorers as a student sees them, controls and all, for the documentation.

`PYTHONPATH=tests python -m browser.gallery_pages [UNIT…]` photographs them in JupyterLab, which takes some minutes.
"""

import sys
import tempfile
from pathlib import Path

import nbformat
from PIL import Image, ImageChops
from playwright.sync_api import expect, sync_playwright

from autograder.course.units import ROOT
from browser.conftest import FLAGS, PATIENCE
from browser.find_browser import MISSING, find_browser
from browser.gallery import gallery
from browser.notebook_page import NotebookPage, new_notebook
from browser.server import COURSE, running

FOLDER = ROOT / "docs" / "images" / "explorers"
# Where an explorer opens quietly, a place that shows more.
POSES = {
    "00": {"a": "1 -2 3", "b": "-1 0.5 2 4"},
    "01": {"turn": 35, "length": 2.5},
    "02": {"beta": 23, "d_k": 64, "divided": False},
    "05": {"n": 10, "lookback": 3},
    "07": {"temperature": 0.7},
}
MARGIN = 14  # pixels
SHADOW = 2  # of the toolbar above
OPEN = """from browser.gallery import gallery

def opened(number, pose):
    explorer = makers[number]()
    for name, value in pose.items():
        explorer.widgets[name].value = value
    return explorer

makers = gallery()"""


def photograph(numbers: list[str]) -> None:
    """Write a picture of each explorer, cut to what there is to see."""
    program = find_browser()
    if program is None:
        sys.exit(MISSING)
    with tempfile.TemporaryDirectory() as work, sync_playwright() as playwright:
        folder = Path(work) / "mine"
        folder.mkdir()
        path = folder / "gallery.ipynb"
        code = [OPEN, *(f"opened({number!r}, {POSES.get(number, {})!r})" for number in numbers)]
        nbformat.write(new_notebook(code), path)
        lab = [*COURSE, "lab", "--folder", str(folder), "--no-browser", "--port", "0", "--allow-root"]
        with running(lab, folder, Path(work) / "home") as server:
            browser = playwright.chromium.launch(executable_path=program, args=list(FLAGS))
            page = browser.new_page(viewport={"width": 1250, "height": 1100}, device_scale_factor=1.25)
            expect.set_options(timeout=5 * PATIENCE)  # some explorers train a model first
            page.goto(server.fresh(f"/lab/tree/{path.name}"))
            notebook = NotebookPage(page, path)
            notebook.wait_until_ready()
            page.add_style_tag(content=".jp-OutputPrompt, .jp-OutputCollapser { display: none }")
            notebook.choose("Run", "Run All Cells")
            for place, number in enumerate(numbers, start=1):
                output = notebook.cells.nth(place).locator(".jp-Cell-outputArea")
                expect(output.locator("img").last).to_be_visible()
                notebook.bring_into_view(output)
                output.screenshot(path=FOLDER / f"{number}.png")
                _cut(FOLDER / f"{number}.png")
            browser.close()


def _cut(path: Path) -> None:
    image = Image.open(path).convert("RGB")
    image = image.crop((0, SHADOW, *image.size))
    left, top, right, bottom = ImageChops.difference(image, Image.new("RGB", image.size, "white")).getbbox()
    cut = image.crop((left, top, right, bottom))
    framed = Image.new("RGB", (cut.width + 2 * MARGIN, cut.height + 2 * MARGIN), "white")
    framed.paste(cut, (MARGIN, MARGIN))
    framed.quantize(128).save(path, optimize=True)


if __name__ == "__main__":
    photograph(sys.argv[1:] or list(gallery()))
