"""What a student writes in Markdown, as the formgrader shows it: nothing works, and nothing is lost."""

import re

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


@pytest.mark.parametrize(
    "written",
    [
        r"$\href{javascript:alert(1)}{x}$",
        r"$$\url{http://x} \class{a}{b} \style{position: fixed}{b} \cssId{a}{b} \require{x}$$",
        r"\(\htmlId{a}{b} \htmlStyle{a}{b}\) \begin{align}\href{a}{b}\end{align}",
        r"$\def\x{\href} \let\y\href \mmlToken{mi}[href=x]{y} \bbox[border: 1px]{x}$",
        r"$\&#104;ref{a}{b}$ `\href{a}{b}`",
    ],
)
def test_a_formula_names_no_address_and_no_style(written):
    page = Page(inert_html(written))
    assert not re.search(r"\\(href|url|class|style|cssId|require|html[A-Z]|mmlToken|bbox)", page.text)
    assert page.text.count("href") == written.count("href")  # it is still to be read


def test_an_honest_formula_stays_as_it_is():
    written = r"$\frac{1}{2} \mathrm{softmax}\left(QK^\top / \sqrt{d_k}\right)V, \displaystyle \textstyle x$"
    assert inert_html(written).strip() == f"<p>{written}</p>"


def test_hints_of_the_course_stay_folded():
    cells = [cell.source for unit in all_units() for cell in solution_notebook(unit).cells]
    hints = [source for source in cells if "<details>" in source]
    assert hints
    for source in hints:
        page = Page(inert_html(source))
        tags = [tag for tag, _ in page.tags]
        assert tags.count("details") == tags.count("summary") == source.count("<summary>")
        assert "<details>" not in page.text
