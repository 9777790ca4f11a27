"""The course on one page: its formulas, with the shapes read from the signatures of course_lib, as HTML to print."""

import html
import importlib
import inspect
import io
import re
import sys
import types
import typing
from base64 import b64encode
from collections.abc import Iterable
from pathlib import Path

from matplotlib import rc_context
from matplotlib.figure import Figure
from torch import nn

from course_lib.portfolio.cheatsheet_entries import CONVENTIONS, ENTRIES, Entry

STYLE = """
@page { size: A4 landscape; margin: 7mm }
* { box-sizing: border-box }
body { font: 8pt/1.25 system-ui, "Segoe UI", sans-serif; color: #222; margin: 0 auto; max-width: 283mm }
h1 { font-size: 12pt; margin: 0 0 1.5mm } h1 small { font-weight: normal; font-size: 8pt; color: #555 }
main { columns: 3; column-gap: 5mm; column-rule: 0.2mm solid #ccc }
section { margin: 0 0 1.6mm } h2 { font-size: 8.6pt; margin: 0 0 0.6mm; color: #0072B2; break-after: avoid }
.entry { break-inside: avoid; margin: 0 0 0.9mm; padding-left: 1.5mm; border-left: 0.5mm solid #e3e3e3 }
.entry img { display: block; height: auto; max-width: 100% }
code { font: 6.6pt/1.2 ui-monospace, Consolas, monospace; color: #444 } code b { color: #000 }
ul { margin: 0; padding-left: 3.5mm }
"""


def write_summary(path: str | Path = "summary.html") -> None:
    """Write the page as one self-contained file and print its path."""
    path = Path(path)
    path.write_text(summary_page(), "utf-8")
    print(f"Wrote {path.resolve()}: open it in a browser and print it, one sheet of A4, landscape.")


def summary_page() -> str:
    """The whole page as HTML."""
    sections = [_section(title, map(_entry, entries)) for title, entries in ENTRIES.items()]
    lines = "".join(f"<li>{html.escape(line)}</li>" for line in CONVENTIONS)
    sections.append(_section("Throughout", [f"<ul>{lines}</ul>"]))
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f"<title>Transformers from the inside, on one page</title><style>{STYLE}</style></head>\n<body>"
        "<h1>Transformers from the inside <small>every formula and shape of the course, on one page</small></h1>\n"
        f"<main>{''.join(sections)}</main></body></html>\n"
    )


def shapes_of(entry: Entry) -> str:
    """What goes in and what comes out, by the signature in course_lib; "" where there is nothing to say."""
    if not entry.name:
        return ""
    module, name = entry.name.rsplit(".", 1)
    try:
        function = getattr(importlib.import_module(f"course_lib.{module}"), name)
    except ImportError:
        return entry.shapes  # a student edition lacks the answers of later units
    function = function.forward if isinstance(function, type) and issubclass(function, nn.Module) else function
    hints = typing.get_type_hints(inspect.unwrap(function))
    given = [
        f"{argument} {shape}" for argument, hint in hints.items() if argument != "return" for shape in _shapes(hint)
    ]
    return f"{', '.join(given)} → {', '.join(_shapes(hints['return']))}".strip()


def _shapes(hint: object) -> list[str]:
    """The shapes that a type hint names, written as (B, n, d)."""
    if typing.get_origin(hint) in (tuple, types.UnionType, typing.Union):
        return [shape for part in typing.get_args(hint) for shape in _shapes(part)]
    dimensions = getattr(hint, "dim_str", None)
    if dimensions is None or dimensions == "...":
        return []
    names = ["…" if name.startswith("*") else re.sub(r"[{}]", "", name) for name in dimensions.split()]
    names = ["B" if name == "batch" else name.replace("*", "·") for name in names]
    return [f"({', '.join(names)})"]


def _section(title: str, parts: Iterable[str]) -> str:
    return f"<section><h2>{html.escape(title)}</h2>{''.join(parts)}</section>\n"


def _entry(entry: Entry) -> str:
    shapes = html.escape(shapes_of(entry))
    name = html.escape(entry.name.rpartition(".")[2])
    code = f"<code><b>{name}</b> {shapes}</code>" if name else ""
    return f'<div class="entry">{_formula(entry.formula)}{code}</div>'


def _formula(formula: str) -> str:
    """The formula as an inline SVG image; its source is the alternative text."""
    image = io.BytesIO()
    with rc_context({"mathtext.fontset": "cm", "svg.hashsalt": "summary"}):
        figure = Figure(figsize=(0.01, 0.01))
        figure.text(0, 0, f"${formula}$", fontsize=9.2)
        figure.savefig(image, format="svg", bbox_inches="tight", pad_inches=0.015, metadata={"Date": None})
    source = b64encode(image.getvalue()).decode()
    return f'<img alt="{html.escape(formula)}" src="data:image/svg+xml;base64,{source}">'


if __name__ == "__main__":
    write_summary(*sys.argv[1:2])
