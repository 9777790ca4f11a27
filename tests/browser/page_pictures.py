"""The pages of an instructor's class as the README shows them: the report, and feedback with a diagnosis.

`course demo --folder build/demo`, then `PYTHONPATH=tests python -m browser.page_pictures build/demo`.
"""

import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

from autograder.course.units import ROOT
from autograder.demo.tour import STORIES_UNIT
from browser.conftest import FLAGS
from browser.find_browser import MISSING, find_browser

FOLDER = ROOT / "docs" / "images"


def photograph(demo: Path) -> None:
    """The top of both pages, in pictures of one size, which the README puts side by side."""
    program = find_browser()
    if program is None:
        sys.exit(MISSING)
    feedback = demo / "class" / "feedback" / "no-scale" / STORIES_UNIT.full_name / f"{STORIES_UNIT.full_name}.html"
    pages = {"report": demo / "class" / "reports" / "class.html", "feedback": feedback}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(FLAGS))
        for name, path in pages.items():
            page = browser.new_page(viewport={"width": 900, "height": 1150})
            page.goto(path.resolve().as_uri())
            page.screenshot(path=FOLDER / f"{name}.png")
        browser.close()


if __name__ == "__main__":
    photograph(Path(sys.argv[1]))
