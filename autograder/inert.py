"""Student content as inert text, wherever nbgrader shows a submission as HTML: nothing in it runs or loads."""

import base64
import binascii
import re

import bleach
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from nbconvert.preprocessors import Preprocessor
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

TEXT_TAGS = ("p", "br", "hr", "em", "strong", "del", "code", "pre", "blockquote", "div", "span", "sub", "sup")
BLOCK_TAGS = ("ul", "ol", "li", "h1", "h2", "h3", "h4", "h5", "h6", "details", "summary")
TABLE_TAGS = ("table", "thead", "tbody", "tr", "th", "td")
TAGS = frozenset(TEXT_TAGS + BLOCK_TAGS + TABLE_TAGS)
PICTURES = ("image/png", "image/jpeg")
BASE64 = re.compile(r"[A-Za-z0-9+/\s]+={0,2}\s*")


class _WithoutPictures(IPythonRenderer):
    """An image of a Markdown cell becomes its description: it could come from anywhere."""

    def image(self, text: str, url: str, title: str | None = None) -> str:
        return f"<em>[picture: {bleach.clean(text, tags=[])}]</em>"


def inert_html(source: str) -> str:
    """Markdown as HTML with no link, picture, style or script in it; other tags than the harmless show as text."""
    renderer = _WithoutPictures(escape=False, allow_harmful_protocols=False, exclude_anchor_links=True)
    return bleach.clean(MarkdownWithMath(renderer=renderer).render(source), tags=TAGS, attributes={}, protocols=())


def inert_cell(cell: NotebookNode) -> NotebookNode:
    """The cell with only those outputs and that metadata that cannot become a part of a page."""
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
    """Text, and pictures that are what they say they are."""
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
    """For nbconvert: every cell as inert_cell has it."""

    def preprocess(self, nb: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        nb.cells = [inert_cell(cell) for cell in nb.cells]
        nb.metadata.pop("widgets", None)
        return nb, resources
