"""The terminal that commands print to: no text of another's can steer it, wherever it comes from."""

from typing import Any

from rich.console import Console as RichConsole
from rich.text import Text

from autograder.course.safe_text import readable


class Console(RichConsole):
    """rich's, but every text that it renders is made readable, after its markup is read: so none can be made of it."""

    def render_str(self, text: str, **options: Any) -> Text:
        rendered = super().render_str(text, **options)
        rendered.plain = readable(rendered.plain)  # as long as before, so that its colors stay in place
        return rendered
