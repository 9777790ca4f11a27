"""Pages of feedback and reports on a screen of any width, on paper and in grey: nothing is cut off, nothing runs."""

import re
import shutil

import pytest
from playwright.sync_api import Page

from autograder.classroom.directory import ClassDirectory
from autograder.gradebook.record_files import record_path
from autograder.reports.class_report.write import write_report
from autograder.reports.feedback.write import write_feedback
from autograder.reports.pages import FOLDER
from browser.audit import audit
from browser.injections import SEEN

pytestmark = pytest.mark.xdist_group("browser")

WIDTHS = (400, 1000, 1600)
NAME = "<script>ran('student')</script>"
ON_PAPER = 650  # pixels between the margins of a sheet of A4
READABLE = 4.5  # of contrast, for text of this size
SIDEWAYS = """() => [...document.querySelectorAll("body *")].filter(element => {
    const box = element.getBoundingClientRect();
    return box.width > 0 && (box.right > innerWidth + 1 || box.left < -1);
}).map(element => `${element.tagName}.${element.className}: ${element.textContent.slice(0, 60)}`)"""


@pytest.fixture(scope="module")
def pages(graded_class):
    """The pages of two students, one of whom has put scripts and endless words everywhere, and the report on both."""
    directory, unit = graded_class
    with directory.gradebook() as gradebook:
        gradebook.update_or_create_student("injector", first_name=NAME, last_name="W" * 120)
    written = {page.parts[-3]: page for page in write_feedback(directory, unit)}
    return {"report": write_report(directory), **written}


def unfold(page: Page) -> None:
    page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true")


@pytest.mark.parametrize("name", ["report", "careful", "injector"])
def test_nothing_is_cut_off_at_any_width_or_on_paper(pages, name, open_page, picture):
    for width in (*WIDTHS, ON_PAPER):
        with open_page(viewport={"width": width, "height": 900}) as page:
            page.emulate_media(media="print" if width == ON_PAPER else "screen")
            page.goto(pages[name].as_uri())
            unfold(page)
            assert page.evaluate(SIDEWAYS) == [], width
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            if name != "injector":  # whose page is a hundred screens long
                picture(page, f"page-{name}-{width}", full_page=True)


def test_a_row_or_a_figure_is_not_parted_by_the_end_of_a_sheet(pages, open_page):
    with open_page() as page:
        page.emulate_media(media="print")
        page.goto(pages["report"].as_uri())
        for kind in (".tile", "tr", "li", ".picture", ".note"):
            for element in page.locator(kind).all():
                assert element.evaluate("element => getComputedStyle(element).breakInside") == "avoid", kind
        assert page.pdf(format="A4").startswith(b"%PDF")


def test_the_report_is_inert(pages, graded_class, open_page, tmp_path):
    """With two who have copied, so that it shows their code side by side."""
    directory, unit = ClassDirectory(tmp_path / "class"), graded_class[1]
    shutil.copytree(graded_class[0].root, directory.root)
    for student in ("careful", "injector"):
        shutil.copytree(directory.root / "autograded" / student, directory.root / "autograded" / f"{student} too")
        record = record_path(directory, unit, student)
        shutil.copy(record, record_path(directory, unit, f"{student} too"))
    report = write_report(directory)
    with open_page() as page:
        watched = audit(page)
        page.goto(report.as_uri(), wait_until="networkidle")
        unfold(page)
        text = page.locator("body").inner_text()
        for shown in (NAME, "<script>ran('answer-script')</script>", SEEN):
            assert shown in text
        assert watched.suspects() == []
        assert watched.style() == ""
        assert watched.ran == []
        assert [url for url in watched.asked if not url.startswith(report.as_uri())] == []


def luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_every_colour_of_text_can_be_read_also_in_grey():
    """Contrast is that of the greys which a printer makes of the colours."""
    colours = dict(re.findall(r"--(\w+): (#[0-9a-f]{6})", (FOLDER / "style.css").read_text("utf-8")))
    paper = luminance(colours["pale"])
    for name in ("ink", "soft", "main", "good", "some", "bad"):
        assert (paper + 0.05) / (luminance(colours[name]) + 0.05) >= READABLE, name
