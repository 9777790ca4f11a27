"""An instructor reads a written answer in nbgrader's formgrader, and what they enter arrives everywhere."""

import csv
import sys

import pytest
from playwright.sync_api import FrameLocator, Page, expect

from autograder.export import export_scores
from autograder.feedback import write_feedback
from autograder.grading import grade_class
from browser.audit import audit
from browser.injections import AWAY, SEEN
from browser.server import Server, running

pytestmark = pytest.mark.xdist_group("browser")

ANSWER = "explain_attention_matrix"
COMMENT = "Say also why the rows sum to one."
JUPYTER = (sys.executable, "-m", "jupyterlab", "--no-browser", "--ServerApp.port=0", "--allow-root")
# nbgrader's page takes MathJax from the internet, which a test must not need; this stands in for it
MATHJAX = """window.MathJax = {Hub: {
    Config() {}, Queue() {}, Register: {StartupHook() {}}, Startup: {signal: {Interest(tell) { tell("End"); }}}
}};"""


@pytest.fixture(scope="module")
def server(browser, graded_class, tmp_path_factory):
    directory, _ = graded_class
    with running(JUPYTER, directory.root, tmp_path_factory.mktemp("instructor")) as server:
        yield server


def open_formgrader(page: Page, server: Server, name: str) -> FrameLocator:
    """Go to a student's submission as one does by hand: by the menu and the lists."""
    page.context.route("**/mathjax/**", lambda route: route.fulfill(body=MATHJAX, content_type="text/javascript"))
    page.goto(server.url("/lab"))
    page.locator(".lm-MenuBar-item", has_text="Nbgrader").click()
    page.locator(".lm-Menu-item:visible", has_text="Formgrader").click()
    frame = page.frame_locator("iframe[src*=formgrader]")
    frame.get_by_role("link", name="Manual Grading").click()
    for _ in ("the unit", "its notebook"):
        frame.get_by_role("link", name="01_cross_attention_shapes").last.click()
    frame.locator("tr", has_text=name).get_by_role("link").first.click()
    return frame


def test_points_and_comment_arrive_everywhere(server, graded_class, open_page, picture, tmp_path):
    directory, unit = graded_class
    with open_page() as page:
        frame = open_formgrader(page, server, "careful")
        score = frame.locator(f"#{ANSWER}")
        expect(score).to_have_class("score tabbable needs_manual_grade")
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
        assert "39" in text
        picture(page, "feedback-light", full_page=True)


def test_the_formgrader_shows_a_submission_as_inert_text(server, graded_class, open_page):
    """It is a page of the instructor's own Jupyter: a script in it could open a terminal there."""
    with open_page() as page:
        watched = audit(page)
        frame = open_formgrader(page, server, "injector")
        expect(frame.locator("body")).to_contain_text(SEEN)
        expect(frame.locator(f"#{ANSWER}")).to_have_class("score tabbable needs_manual_grade")
        assert watched.ran == []
        assert [url for url in watched.asked if AWAY in url] == []
        links = frame.locator("#notebook-container").locator("[onerror], [onload], a[href^=javascript], iframe, script")
        expect(links).to_have_count(0)
