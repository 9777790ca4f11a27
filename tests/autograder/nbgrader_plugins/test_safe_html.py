"""What a student writes in Markdown, as the formgrader shows it: nothing works, and nothing is lost."""

import pytest
from builders.records import Page

from autograder.course.notebooks import solution_notebook
from autograder.course.units import all_units
from autograder.nbgrader_plugins.safe_html import inert_html


@pytest.mark.parametrize(
    "written",
    [
        "x[i]<y and z>1",
        "<script>alert(1)</script>y",
        "<foo bar>",
        "H<sub>2</sub>O <!-- a remark -->",
        "a <details open ontoggle='alert(1)'>more</details",
        "<style>p { display: none }</style>",
        "$a<b$ and $$c<img src=x onerror=alert(1)>$$",
    ],
)
def test_html_shows_as_text(written):
    page = Page(inert_html(written))
    assert page.text.strip() == written
    assert {tag for tag, _ in page.tags} <= {"p"}


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("[look *here*](https://example.org/?a=1&b 'a title')", "look here (https://example.org/?a=1&b a title)"),
        ("[look here](javascript:alert(1))", "look here (javascript:alert(1))"),
        ("<https://example.org>", "https://example.org"),
        ("![my *plot* of <x>](https://example.org/x.png)", "[picture: my plot of <x>]"),
        ("```mermaid\nA --> B<img src=x>\n```", "A --> B<img src=x>"),
        ("- [x] done <b>\n- [ ] not yet", "[x] done <b>\n[ ] not yet"),
    ],
)
def test_what_could_lead_elsewhere_is_written_out(written, shown):
    page = Page(inert_html(written))
    assert page.text.strip() == shown
    assert not {"a", "img", "input", "b"} & {tag for tag, _ in page.tags}


def test_markdown_is_formatted():
    page = Page(inert_html("# A\n*b* **c** ~~d~~ `e<f>`\n\n1. g\n\n|h|i|\n|:-:|--|\n|1|<2|\n\n```python\nx<y\n```"))
    tags = [tag for tag, _ in page.tags]
    for tag in ("h1", "em", "strong", "del", "code", "ol", "li", "table", "thead", "th", "td", "pre"):
        assert tag in tags
    assert not any(attributes for _, attributes in page.tags)
    assert "e<f>" in page.text
    assert "<2" in page.text
    assert "x<y" in page.text


def test_hints_of_the_course_stay_folded():
    cells = [cell.source for unit in all_units() for cell in solution_notebook(unit).cells]
    hints = [source for source in cells if "<details>" in source]
    assert hints
    for source in hints:
        page = Page(inert_html(source))
        tags = [tag for tag, _ in page.tags]
        assert tags.count("details") == tags.count("summary") == source.count("<summary>")
        assert "<details>" not in page.text
