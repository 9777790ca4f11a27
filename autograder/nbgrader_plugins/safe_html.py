"""Sanitize submissions wherever nbgrader shows them as HTML: no script, style, link or image of a student's remains."""

import base64
import binascii
import re
from html import escape

import nh3
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from nbconvert.preprocessors import Preprocessor
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

from autograder.course.safe_text import inert_tex, readable

TEXT_TAGS = ("p", "br", "hr", "em", "strong", "del", "code", "pre", "blockquote", "div", "span")
BLOCK_TAGS = ("ul", "ol", "li", "dl", "dt", "dd", "h1", "h2", "h3", "h4", "h5", "h6", "details", "summary")
TABLE_TAGS = ("table", "thead", "tbody", "tr", "th", "td")
TAGS = frozenset(TEXT_TAGS + BLOCK_TAGS + TABLE_TAGS)
HINTS = re.compile(r"&lt;(/?(?:details|summary))&gt;")
PICTURES = ("image/png", "image/jpeg")
BASE64 = re.compile(r"[A-Za-z0-9+/\s]+={0,2}\s*")


class _AsText(IPythonRenderer):
    """Renders Markdown with raw HTML, links and images escaped to text."""

    def inline_html(self, html: str) -> str:
        return HINTS.sub(r"<\1>", escape(html))

    def block_html(self, html: str) -> str:
        return self.inline_html(html)

    def block_mermaidjs(self, code: str) -> str:
        return self.block_code(code)

    def link(self, text: str, url: str, title: str | None = None) -> str:
        address = escape(" ".join(filter(None, (url, title))))
        return text if text == address else f"{text} ({address})"

    def image(self, text: str, url: str, title: str | None = None) -> str:
        return f"<em>[picture: {text}]</em>"

    def task_list_item(self, text: str, checked: bool = False) -> str:
        return f"<li>[{'x' if checked else ' '}] {text}</li>\n"


def inert_html(source: str) -> str:
    """Markdown as HTML without links, images, styles and scripts, in formulas too; raw HTML but hints is escaped."""
    written = MarkdownWithMath(renderer=_AsText(escape=False, exclude_anchor_links=True)).render(readable(source))
    # A second defence: the renderer should leave nothing for it to remove.
    return inert_tex(nh3.clean(written, tags=set(TAGS), attributes={}, clean_content_tags=set()))


def inert_cell(cell: NotebookNode) -> NotebookNode:
    """The cell with only plain text and images as outputs, and only nbgrader's metadata."""
    if cell.cell_type == "raw":
        return new_code_cell(cell.source, id=cell.id)
    kept = {"nbgrader": cell.metadata["nbgrader"]} if "nbgrader" in cell.metadata else {}
    cell.metadata = NotebookNode(kept)
    cell.pop("attachments", None)
    for output in cell.get("outputs", ()):
        if "data" in output:
            output.metadata = NotebookNode()
            output.data = NotebookNode(_inert_data(output.data))
    return cell


def _inert_data(data: dict) -> dict:
    """The plain text, and the images that are valid base64."""
    kept = {kind: text for kind, text in data.items() if kind in PICTURES and _is_base64(text)}
    if isinstance(data.get("text/plain"), str):
        kept["text/plain"] = data["text/plain"]
    return kept or {"text/plain": f"[an output of a kind that is not shown: {', '.join(sorted(data))}]"}


def _is_base64(text: object) -> bool:
    if not isinstance(text, str) or not BASE64.fullmatch(text):
        return False
    try:
        base64.b64decode(text)
    except binascii.Error:
        return False
    return True


class Inert(Preprocessor):
    """An nbconvert preprocessor that applies inert_cell to every cell."""

    def preprocess(self, nb: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        nb.cells = [inert_cell(cell) for cell in nb.cells]
        nb.metadata.pop("widgets", None)
        return nb, resources
