"""A notebook that is open in JupyterLab, worked with by mouse and keyboard as a student would."""

from collections.abc import Sequence
from pathlib import Path

import nbformat
from playwright.sync_api import Locator, Page, expect

from autograder.course.cells import grade_id


def new_notebook(code: Sequence[str]) -> nbformat.NotebookNode:
    """A notebook of code cells which says its kernel, so that JupyterLab does not ask for one."""
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    cells = [nbformat.v4.new_code_cell(source, id=f"cell-{i}") for i, source in enumerate(code)]
    return nbformat.v4.new_notebook(cells=cells, metadata=kernel)


class NotebookPage:
    """A cell is named by its grade_id, or by what its code begins with."""

    def __init__(self, page: Page, path: Path):
        self.page, self.path = page, path
        cells = nbformat.read(path, as_version=4).cells
        self._cells = [(grade_id(cell), cell.source) for cell in cells]
        self.cells = page.locator(".jp-Notebook .jp-Cell")

    def wait_until_ready(self) -> None:
        expect(self.page.locator(".jp-NotebookPanel")).to_be_visible()
        expect(self.cells.first).to_be_visible()
        expect(
            self.page.locator(".jp-StatusBar-GroupItem, .jp-StatusBar-Widget", has_text="| Idle").first
        ).to_be_visible()
        self.wait_until_idle()

    def wait_for_kernel(self) -> None:
        """Until the page is connected to one, as the server sees it: run earlier, cells would ask for a kernel."""
        self.page.wait_for_function(
            """async path => (await (await fetch("/api/sessions")).json()).some(
                ({path: open, kernel}) => open === path && kernel.connections > 0 && kernel.execution_state === "idle"
            )""",
            arg=self.path.name,
            polling=200,
        )

    def wait_until_idle(self) -> None:
        idle = self.page.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]")
        expect(idle).to_be_visible()

    def choose(self, menu: str, *items: str) -> None:
        """Take an item of the menus, by the names that one reads there."""
        self.page.locator(".lm-MenuBar-item", has_text=menu).first.click()
        for item in items:
            self.page.locator(".lm-Menu-item:visible", has_text=item).first.click()

    def wait_for_theme(self, theme: str) -> None:
        """Until the notebook is painted in the colours of a theme, which arrive later than its name."""
        expect(self.page.locator("body")).to_have_attribute("data-jp-theme-light", str(theme == "light").lower())
        ground = "rgb(255, 255, 255)" if theme == "light" else "rgb(17, 17, 17)"
        expect(self.page.locator(".jp-Notebook").first).to_have_css("background-color", ground)
        self.page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def bring_into_view(self, place: Locator) -> None:
        """Scroll until it stays in view: cells above it take their full height only while one passes them."""
        found = place.evaluate("""async place => {
            const frame = () => new Promise(done => requestAnimationFrame(done));
            for (let turn = 0; turn < 60; turn++) {
                place.scrollIntoView({block: "start"});
                await frame();
                await frame();
                const {top} = place.getBoundingClientRect();
                if (turn > 2 && top >= 0 && top < innerHeight / 2) return true;
            }
            return false;
        }""")
        assert found, "it cannot be scrolled into view"

    def cell(self, name: str) -> Locator:
        beginnings = (f"{name}(", f"{name}\n")
        places = [i for i, (known, code) in enumerate(self._cells) if known == name or code.startswith(beginnings)]
        return self.cells.nth(places[0])

    def output(self, name: str) -> Locator:
        return self.cell(name).locator(".jp-Cell-outputArea")

    def write(self, name: str, text: str) -> None:
        """Replace what stands in a cell."""
        self.cell(name).locator(".cm-content").click()
        self.page.keyboard.press("Control+a")
        self.page.keyboard.insert_text(text)

    def run(self, name: str) -> None:
        """Run one cell, and wait until it has been run."""
        cell = self.cell(name)
        before = cell.locator(".jp-InputPrompt").inner_text()
        cell.locator(".cm-content").click()
        self.page.keyboard.press("Control+Enter")
        prompt = cell.locator(".jp-InputPrompt")
        expect(prompt).not_to_have_text(before)
        expect(prompt).not_to_have_text("[*]:")

    def save(self) -> None:
        with self.page.expect_response(lambda answer: answer.request.method == "PUT" and self.path.name in answer.url):
            self.page.keyboard.press("Control+s")
