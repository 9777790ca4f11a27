"""Explorers: a picture with controls, redrawn from the student's own function whenever a control moves."""

import gc
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from html import escape
from typing import TYPE_CHECKING

import torch

from course_lib.notebook_display import Handle, require_display
from course_lib.plots import Picture
from course_lib.widgets.audience import Audience, audience
from course_lib.widgets.display import how_to, show_widget
from course_lib.widgets.explorers.controls import COLUMNS, Control, control_widget, shown

if TYPE_CHECKING:
    import ipywidgets


class Unreadable(ValueError):
    """The text of a field cannot be parsed; the message says what was expected."""


class Explorer:
    """`draw` gets the value of each control by name. The last expression of a cell, it shows itself.

    A person gets widgets; a reader one picture and the values of the controls; a grader nothing.
    """

    def __init__(self, draw: Callable[..., Picture], controls: Mapping[str, Control]):
        self.controls = dict(controls)
        self.values = {name: control.value for name, control in self.controls.items()}
        self.note = ""
        self._draw = draw
        self._picture: Picture | None = None
        self._widgets: dict[str, ipywidgets.Widget] = {}
        self._note_widget: ipywidgets.HTML | None = None
        self._handle: Handle | None = None
        self._change_settings: Callable[[Mapping[str, str]], None] | None = None

    @property
    def picture(self) -> Picture:
        """What the controls show now."""
        if self._picture is None:
            self._picture = self._drawn()
        return self._picture

    @property
    def widgets(self) -> dict[str, "ipywidgets.Widget"]:
        """The widget of each control, made when first asked for."""
        if not self._widgets:
            import ipywidgets

            self._widgets = {name: control_widget(control) for name, control in self.controls.items()}
            for name, widget in self._widgets.items():
                widget.observe(lambda change, name=name: self.move(**{name: change["new"]}), names="value")
            self._note_widget = ipywidgets.HTML()
        return self._widgets

    def move(self, **values: object) -> None:
        """Set controls by name and redraw; a text that cannot be parsed keeps the picture and shows why."""
        self.values |= values
        with _without_interruption():
            try:
                self._picture, self.note = self._drawn(), ""
            except Unreadable as problem:
                self.note = str(problem)
            if self._handle is not None and not self.note:
                self._handle.update(self._picture)
                if self._change_settings is not None:
                    self._change_settings(self._settings())
        if self._note_widget is not None:
            self._note_widget.value = f'<span role="status">✗ {escape(self.note)}</span>' if self.note else ""

    def _drawn(self) -> Picture:
        with undisturbed():
            return self._draw(**self.values)

    def _settings(self) -> dict[str, str]:
        """The values of the controls in words, for a page without widgets."""
        settings = [f"{control.label}: {shown(control, self.values[name])}" for name, control in self.controls.items()]
        text = f"Drawn with {', '.join(settings)}. {how_to('change that')}"
        return {"text/plain": text, "text/html": f"<p><i>{escape(text)}</i></p>"}

    def _ipython_display_(self) -> None:
        who = audience()
        if who is Audience.NOBODY:
            return
        if who is Audience.PERSON:
            import ipywidgets

            layout = {"grid_template_columns": COLUMNS, "width": "min(100%, 84em)"}
            controls = ipywidgets.GridBox(list(self.widgets.values()), layout=layout)
            box = ipywidgets.VBox([controls, self._note_widget])
            self._change_settings = show_widget(box, self._settings())
        else:
            require_display()(self._settings(), raw=True)
        # The picture is an ordinary output, not a widget: it stays when the notebook is saved or printed.
        self._handle = require_display()(self.picture, display_id=True)

    def __repr__(self) -> str:
        return self.picture.alt


@contextmanager
def undisturbed() -> Iterator[None]:
    """Restore the random state afterwards, so that later cells draw the same numbers as without the explorer."""
    with torch.random.fork_rng(devices=[]), torch.no_grad():
        yield


@contextmanager
def _without_interruption() -> Iterator[None]:
    """Pause garbage collection while drawing: with torch loaded, one collection takes longer than a picture."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
