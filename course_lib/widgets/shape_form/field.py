"""The field for one tensor's shape, with its name above and its verdict below."""

from collections.abc import Callable
from html import escape
from typing import TYPE_CHECKING

from course_lib.cards.sheet_verdicts import EntryVerdict

if TYPE_CHECKING:
    import ipywidgets

MARKS = {True: "✓ ", False: "✗ ", None: ""}
LOOKS = {True: "course-fits", False: "course-breaks"}


class ShapeField:
    """`typed` is called with the tensor's name and the text of the field at every keystroke."""

    def __init__(self, name: str, text: str, typed: Callable[[str, str], None], formula: str = ""):
        """`formula`, such as "Q = X_tgt @ W_q", is shown on narrow screens, where there are no arrows."""
        import ipywidgets

        self.field = ipywidgets.Text(text, description=name, placeholder="dimensions")
        self.field.add_class("course-field")
        self.field.observe(lambda change: typed(name, change["new"]), names="value")
        self.said = ipywidgets.HTML().add_class("course-said")
        made_of = [ipywidgets.HTML(escape(formula)).add_class("course-formula")] if formula else []
        self.box = ipywidgets.VBox([*made_of, self.field, self.said])
        self.box.add_class("course-chip")

    def tell(self, verdict: EntryVerdict) -> None:
        """Show the verdict by a frame, a mark and words, which a screen reader announces."""
        for fits, look in LOOKS.items():
            (self.field.add_class if verdict.fits is fits else self.field.remove_class)(look)
        self.said.value = f'<div role="status">{MARKS[verdict.fits]}{escape(verdict.says)}</div>'


def given_chip(name: str, shape: str) -> "ipywidgets.HTML":
    """A tensor whose shape is known from the start."""
    import ipywidgets

    words = f"<b>{escape(name)}</b> is given<br>{escape(shape)}"
    return ipywidgets.HTML(words).add_class("course-given")
