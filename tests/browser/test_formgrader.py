"""An instructor reads a written answer in nbgrader's formgrader, and what they enter arrives everywhere."""

import csv
import re
import sys

import pytest
from playwright.sync_api import FrameLocator, Page, expect

from autograder.gradebook.export import export_scores
from autograder.grading.grade_class import grade_class
from autograder.reports.class_report.write import write_report
from autograder.reports.feedback.write import write_feedback
from browser.audit import audit
from browser.injections import AWAY, SEEN
from browser.server import Server, running

pytestmark = pytest.mark.xdist_group("browser")

ANSWER = "explain_attention_matrix"
COMMENT = "Say also why the rows sum to one."
JUPYTER = (sys.executable, "-m", "jupyterlab", "--no-browser", "--ServerApp.port=0", "--allow-root")
OF_MATHJAX = ("about:blank",)  # it asks for a font there, to learn whether a font can be loaded
RUBRIC = "so every input has its own mixing matrix"


@pytest.fixture(scope="module")
def server(browser, graded_class, tmp_path_factory):
    directory, _ = graded_class
    with running(JUPYTER, directory.root, tmp_path_factory.mktemp("instructor")) as server:
        yield server


def open_formgrader(page: Page, server: Server, name: str) -> FrameLocator:
    """Go to a student's submission as one does by hand: by the menu and the lists."""
    page.goto(server.url("/lab"))
    page.locator(".lm-MenuBar-item", has_text="Nbgrader").click()
    page.locator(".lm-Menu-item:visible", has_text="Formgrader").click()
    frame = page.frame_locator("iframe[src*=formgrader]")
    frame.get_by_role("link", name="Manual Grading").click()
    for _ in ("the unit", "its notebook"):
        frame.get_by_role("link", name="01_cross_attention_shapes").last.click()
    frame.locator("tr", has_text=name).get_by_role("link").first.click()
    can_be_typed_into(frame)
    return frame


def can_be_typed_into(frame: FrameLocator) -> None:
    """Wait for the points and comments that are there already: what is typed before they arrive is lost."""
    for field in (".extra-credit", ".comment"):
        expect(frame.locator(field).first).to_have_attribute("placeholder", re.compile("."))


def formulas_are_set(frame: FrameLocator) -> None:
    """Wait until MathJax has been through the whole page."""
    expect(frame.locator(".MathJax").first).to_be_attached()
    expect(frame.locator(".MathJax_Processing, .MathJax_Processed, .MathJax_Preview:not(:empty)")).to_have_count(0)


def test_points_and_comment_arrive_everywhere(server, graded_class, open_page, picture, tmp_path):
    directory, unit = graded_class
    with open_page(allow=OF_MATHJAX) as page:
        frame = open_formgrader(page, server, "careful")
        score = frame.locator(f"#{ANSWER}")
        expect(score).to_have_class("score tabbable needs_manual_grade")
        expect(frame.get_by_text(RUBRIC)).to_be_visible()
        picture(page, "formgrader")
        with page.expect_response(lambda answer: "/api/grade/" in answer.url and answer.request.method == "PUT"):
            score.fill("3")
            score.press("Tab")
        comment = frame.locator(f"#{ANSWER}-comment")
        with page.expect_response(lambda answer: "/api/comment/" in answer.url and answer.request.method == "PUT"):
            comment.fill(COMMENT)
            comment.press("Tab")
        expect(score).not_to_have_class("score tabbable needs_manual_grade")
        picture(page, "formgrader-graded")
    with directory.gradebook() as gradebook:
        submission = gradebook.find_submission(unit.full_name, "careful")
        assert (submission.score, submission.needs_manual_grade) == (39, False)
    assert {result.student: result.score for result in grade_class(directory, unit)}["careful"] == 39
    export_scores(directory, "csv", tmp_path / "scores.csv")
    with (tmp_path / "scores.csv").open(encoding="utf-8") as file:
        rows = {row["student_id"]: row for row in csv.DictReader(file)}
    assert [float(value) for name, value in rows["careful"].items() if "(of 40)" in name] == [39]
    feedback = {page.parts[-3]: page for page in write_feedback(directory, unit)}
    with open_page() as page:
        page.goto(feedback["careful"].as_uri())
        text = page.locator("body").inner_text()
        assert COMMENT in text
        assert "39 of 40" in text
        picture(page, "feedback-light", full_page=True)
        page.goto(write_report(directory, unit).as_uri())
        text = " ".join(page.locator("body").inner_text().split())
        assert f"{ANSWER}: 1 answer injector" in text
        picture(page, "report-of-two", full_page=True)


def test_formulas_are_set_and_nothing_comes_from_the_internet(server, open_page, picture):
    """A grader reads the rubric as it is meant, on a machine that no network reaches."""
    with open_page(allow=OF_MATHJAX) as page:
        asked: list[str] = []
        page.context.on("request", lambda request: asked.append(request.url))
        frame = open_formgrader(page, server, "careful")
        formulas_are_set(frame)
        picture(page, "formgrader-formulas")
    assert any("MathJax.js" in url for url in asked)
    assert [url for url in asked if not url.startswith((server.address, "data:", "blob:", "about:"))] == []


def test_grading_goes_on_without_mathjax(server, open_page):
    """Where the server does not have it, formulas stay text, and points are saved all the same."""
    with open_page(allow=("Failed to load resource",)) as page:
        page.context.route("**/MathJax.js*", lambda route: route.abort())
        frame = open_formgrader(page, server, "injector")
        score = frame.locator(f"#{ANSWER}")
        with page.expect_response(lambda answer: "/api/grade/" in answer.url and answer.request.method == "PUT"):
            score.fill("1")
            score.press("Tab")
        expect(score).not_to_have_class("score tabbable needs_manual_grade")
        with page.expect_response(lambda answer: "/api/grade/" in answer.url and answer.request.method == "PUT"):
            score.fill("")  # as it was
            score.press("Tab")
        expect(score).to_have_class("score tabbable needs_manual_grade")


def test_the_formgrader_shows_a_submission_as_inert_text(server, graded_class, open_page):
    """It is a page of the instructor's own Jupyter: a script in it could open a terminal there."""
    with open_page(allow=OF_MATHJAX) as page:
        watched = audit(page)
        frame = open_formgrader(page, server, "injector")
        expect(frame.locator("body")).to_contain_text(SEEN)
        expect(frame.locator(f"#{ANSWER}")).to_have_class("score tabbable needs_manual_grade")
        formulas_are_set(frame)
        assert watched.ran == []
        assert [url for url in watched.asked if AWAY in url] == []
        container = frame.locator("#notebook-container")
        expect(container.locator(f"[onerror], [onload], a[href^=javascript], a[href*='{AWAY}'], iframe")).to_have_count(
            0
        )
        expect(container.locator("script:not([type^='math/'])")).to_have_count(0)  # those are MathJax's own, and inert
        expect(container.locator("[style*=url], [style*=fixed]")).to_have_count(0)
