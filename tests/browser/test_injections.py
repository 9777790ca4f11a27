"""Pages of feedback show a student's content as text: nothing in it runs, and nothing is loaded."""

import pytest

from autograder.reports.feedback.write import write_feedback
from browser.audit import audit
from browser.injections import AWAY, HTML, SEEN, fragments

pytestmark = pytest.mark.xdist_group("browser")


def test_each_injection_would_be_noticed(open_page):
    """Without care, each of them runs, loads something or waits for a click; else it would prove nothing below."""
    # some are errors of the page too
    with open_page(allow=("",)) as page:
        watched = audit(page)
        page.route(f"{AWAY}/**", lambda route: route.abort())
        for name, fragment in zip(HTML, fragments(HTML, "plain"), strict=True):
            # one belongs into an attribute
            page.set_content(f'<p title="{fragment}">' if name == "breakout-attribute" else f"<p>{fragment}</p>")
            assert watched.ran or watched.asked or watched.suspects() or watched.style(), name
            watched.ran.clear()
            watched.asked.clear()


def test_feedback_is_inert(graded_class, open_page, picture):
    directory, unit = graded_class
    with directory.gradebook() as gradebook:
        name = "<script>ran('student')</script>"
        gradebook.update_or_create_student("injector", first_name=name, last_name=name)
    pages = {page.parts[-3]: page for page in write_feedback(directory, unit)}
    with open_page() as page:
        watched = audit(page)
        page.goto(pages["injector"].as_uri(), wait_until="networkidle")
        assert SEEN in page.locator("body").inner_text()
        page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true")
        picture(page, "feedback-of-injections")
        assert watched.suspects() == []
        assert watched.style() == ""
        assert watched.ran == []
        assert [url for url in watched.asked if not url.startswith(("data:image/", pages["injector"].as_uri()))] == []
