"""Pages for people: HTML in one file, in which everything that came from others is text and nothing else."""

import base64
import hashlib
import re
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from autograder.course.safe_text import readable
from autograder.duration import duration

FOLDER = Path(__file__).parent


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
    """What cannot be seen becomes a visible sign; escaping does the rest."""
    return readable(value) if type(value) is str else value


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
