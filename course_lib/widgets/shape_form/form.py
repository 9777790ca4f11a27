"""A shape sheet as a form: a diagram with fields on its arrows, checked while typing, and the answer as Python."""

from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING

from course_lib.cards.shape_algebra import show_shape
from course_lib.cards.shape_exercises import SHAPE_EXERCISES
from course_lib.cards.sheet_verdicts import EntryVerdict, shapes_card, sheet_verdicts
from course_lib.notebook_display import require_display
from course_lib.plots import Picture
from course_lib.plots.diagrams.sheet_diagram import sheet_diagram
from course_lib.widgets.audience import Audience, audience
from course_lib.widgets.debounce import AtPause
from course_lib.widgets.display import how_to, show_widget
from course_lib.widgets.shape_form.field import ShapeField, given_chip
from course_lib.widgets.shape_form.flow_grid import flow_grid

if TYPE_CHECKING:
    import ipywidgets


def shape_form(exercise: str, sheet: Mapping[str, object] | None = None) -> "ShapeForm":
    """The form of a shape exercise, empty or filled in; only the answer cell that you copy it into is graded."""
    if exercise not in SHAPE_EXERCISES:
        raise ValueError(f"{exercise!r} has no shape form; those that do are {', '.join(SHAPE_EXERCISES)}")
    return ShapeForm(exercise, sheet or {})


class ShapeForm:
    """The sheet as typed so far, its picture and its verdicts; for a person also the fields."""

    def __init__(self, exercise: str, sheet: Mapping[str, object]):
        self.exercise, self.card = exercise, shapes_card(exercise)
        self.sheet = {name: _text(sheet.get(name)) for name in self.card["tensors"]}
        self.chips: dict[str, ShapeField] = {}
        self._redraw: Callable[[], None] | None = None

    @property
    def verdicts(self) -> dict[str, EntryVerdict]:
        return sheet_verdicts(self.exercise, self.sheet)

    @property
    def picture(self) -> Picture:
        return sheet_diagram(SHAPE_EXERCISES[self.exercise], self.sheet)

    def python(self) -> str:
        """The sheet as the lines to put into the answer cell."""
        entries = [f'    "{name}": {_literal(entry)},' for name, entry in self.sheet.items()]
        return "\n".join([f"{self.exercise} = {{", *entries, "}"])

    def type(self, name: str, text: str) -> None:
        """Fill in one field; every verdict follows, and at a pause the picture that is saved."""
        self.sheet[name] = text
        self._show_verdicts()
        if self._redraw is not None:
            self._redraw()

    def box(self) -> "ipywidgets.VBox":
        """The diagram with a field on every arrow and in every block, and the button that writes the answer."""
        import ipywidgets

        given = {name: show_shape(tuple(shape)) for name, shape in self.card["given"].items()}
        products = [formula for formula in reversed(self.card["relations"]) if "@" in formula or "(" in formula]
        formulas = {formula.split(" = ")[0]: formula for formula in products}
        self.chips = {
            name: ShapeField(name, text, self.type, formulas.get(name, "")) for name, text in self.sheet.items()
        }
        shown = {name: chip.box for name, chip in self.chips.items()}
        shown |= {name: given_chip(name, shape) for name, shape in given.items()}
        button = ipywidgets.Button(description="Write it as Python", icon="copy", layout={"width": "max-content"})
        answer = ipywidgets.Textarea(
            description="to copy", placeholder="your sheet as Python appears here", layout={"width": "min(42em, 98%)"}
        )
        button.on_click(lambda _: self._write(answer))
        self._show_verdicts()
        head = ipywidgets.HTML(
            "<p>The shape of each tensor goes on its arrow, that of a weight into its block: names of dimensions, with "
            f"spaces between them. Names in use: {escape(', '.join(self.card['dimensions']))}.</p>"
        )
        form = ipywidgets.VBox([head, flow_grid(SHAPE_EXERCISES[self.exercise].flow, shown), button, answer])
        return form.add_class("course-form")

    def _write(self, answer: "ipywidgets.Textarea") -> None:
        answer.value, answer.rows = self.python(), len(self.sheet) + 2

    def _show_verdicts(self) -> None:
        for name, verdict in self.verdicts.items():
            if name in self.chips:
                self.chips[name].tell(verdict)

    def _stand_in(self) -> dict[str, str]:
        picture = self.picture
        png = b64encode(picture.png()).decode()
        image = f'<img src="data:image/png;base64,{png}" alt="{escape(picture.alt)}" style="max-width: 100%">'
        sentence = how_to("fill in the form")
        return {"text/plain": f"{picture.alt}\n{sentence}", "text/html": f"<p><i>{sentence}</i></p>{image}"}

    def _ipython_display_(self) -> None:
        who = audience()
        if who is Audience.PERSON:
            change = show_widget(self.box(), self._stand_in())
            self._redraw = AtPause(lambda: change(self._stand_in()))
        elif who is Audience.READER:
            require_display()(self._stand_in(), raw=True)

    def __repr__(self) -> str:
        return self.picture.alt


def _text(entry: object) -> str:
    if isinstance(entry, str):
        return entry
    return " ".join(map(str, entry)) if isinstance(entry, Sequence) else ""


def _literal(entry: str) -> str:
    return f'"{entry.strip()}"' if entry.strip() and '"' not in entry and "\\" not in entry else "..."
