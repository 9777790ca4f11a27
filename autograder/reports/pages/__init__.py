"""Pages for people: HTML in one file, in which everything that came from others is text and nothing else."""

import base64
import hashlib
import re
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from autograder.duration import duration

FOLDER = Path(__file__).parent
# what has no shape of its own, or turns the direction of the text around it
CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")


def render(template: str, **values: object) -> str:
    """The page that a template makes of these values; its only style is the one whose hash the page names."""
    style = (FOLDER / "style.css").read_text("utf-8")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return _environment().get_template(template).render(style=Markup(style), style_hash=digest, **values)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_inert,
    )
    environment.filters |= {"number": number, "percent": percent, "mark": mark, "duration": duration, "code": code}
    return environment


def _inert(value: object) -> object:
    """Control characters become a visible sign; escaping does the rest."""
    return CONTROLS.sub("\N{REPLACEMENT CHARACTER}", value) if type(value) is str else value


def code(value: str) -> Markup:
    """Text in which what is between backticks is set as code."""
    return Markup(re.sub("`([^`\n]+)`", r"<code>\1</code>", str(escape(_inert(value)))))


def number(value: float) -> str:
    """As few digits as say it: 8, 7.5, 0.33."""
    return f"{round(value, 2):g}"


def percent(share: float) -> str:
    return f"{100 * share:.0f}\N{NO-BREAK SPACE}%"


def mark(share: float) -> str:
    """All, some or none of the points, also without colour."""
    return "✓" if share >= 1 else "✗" if share <= 0 else "◐"
