"""A shape sheet as a form: a field for each tensor, checked as one types, and the answer as Python to copy."""

from collections.abc import Mapping
from html import escape

from course_lib.checks.cards import read_cards
from course_lib.checks.sheet_verdicts import EntryVerdict, sheet_verdicts
from course_lib.plots import Picture, cross_attention_diagram, decoder_block_diagram, matmul_diagram, multi_head_diagram
from course_lib.shape_sheets import show_shape
from course_lib.widgets.audience import Audience, audience, notebook_display
from course_lib.widgets.showing import show_widget

DIAGRAMS = {
    "matmul_shapes": matmul_diagram,
    "cross_attention_shapes": cross_attention_diagram,
    "multi_head_shapes": multi_head_diagram,
    "decoder_block_shapes": decoder_block_diagram,
}


def shape_form(exercise: str, sheet: Mapping[str, object] | None = None) -> "ShapeForm":
    """The form of a shape exercise, empty or filled in with a sheet; what counts is the cell you copy it into."""
    if exercise not in DIAGRAMS:
        raise ValueError(f"{exercise!r} has no shape form; those that do are {', '.join(DIAGRAMS)}")
    return ShapeForm(exercise, sheet or {})


class ShapeForm:
    """The sheet as typed so far, its diagram and its verdicts; for a person also the fields."""

    def __init__(self, exercise: str, sheet: Mapping[str, object]):
        self.exercise, self.card = exercise, read_cards()[exercise]
        self.sheet = {name: _text(sheet.get(name)) for name in self.card["tensors"]}
        self.fields: dict[str, object] = {}
        self._said: dict[str, object] = {}
        self._handle = None

    @property
    def verdicts(self) -> dict[str, EntryVerdict]:
        return sheet_verdicts(self.exercise, self.sheet)

    @property
    def picture(self) -> Picture:
        return DIAGRAMS[self.exercise](self.sheet)

    def python(self) -> str:
        """The sheet as the lines to put into the answer cell."""
        entries = [f'    "{name}": {_literal(entry)},' for name, entry in self.sheet.items()]
        return "\n".join([f"{self.exercise} = {{", *entries, "}"])

    def type(self, name: str, text: str) -> None:
        """Fill in one field; every verdict and the diagram follow."""
        self.sheet[name] = text
        self._refresh()

    def box(self) -> object:
        """The fields, each with its verdict beside it, and the button that writes the answer."""
        import ipywidgets

        row_layout = {"flex": "1 1 24em", "flex_flow": "row wrap", "align_items": "center", "overflow": "hidden"}
        rows = []
        for name, text in self.sheet.items():
            looks = {"layout": {"width": "15em", "flex": "0 0 auto"}, "style": {"description_width": "5em"}}
            field = ipywidgets.Text(text, description=name, placeholder="dimensions", **looks)
            field.observe(lambda change, name=name: self.type(name, change["new"]), names="value")
            self.fields[name], self._said[name] = field, ipywidgets.HTML(layout={"flex": "1 1 9em"})
            rows.append(ipywidgets.HBox([field, self._said[name]], layout=row_layout))
        button = ipywidgets.Button(description="Write it as Python", icon="copy", layout={"width": "max-content"})
        answer = ipywidgets.Textarea(
            description="to copy", placeholder="your sheet as Python appears here", layout={"width": "98%"}
        )
        button.on_click(lambda _: self._write(answer))
        self._show_verdicts()
        names = ", ".join(self.card["dimensions"])
        given = "; ".join(f"{name} {show_shape(tuple(shape))}" for name, shape in self.card["given"].items())
        head = ipywidgets.HTML(f"<p>Names in use: {escape(names)}. Given: {escape(given)}.</p>")
        wrap = ipywidgets.Layout(display="flex", flex_flow="row wrap", width="100%")
        return ipywidgets.VBox([head, ipywidgets.Box(rows, layout=wrap), button, answer])

    def _write(self, answer: object) -> None:
        answer.value, answer.rows = self.python(), len(self.sheet) + 2

    def _refresh(self) -> None:
        self._show_verdicts()
        if self._handle is not None:
            self._handle.update(self.picture)

    def _show_verdicts(self) -> None:
        for name, verdict in self.verdicts.items():
            if name in self._said:
                mark = {True: "✓ ", False: "✗ ", None: ""}[verdict.fits]
                self._said[
                    name
                ].value = f'<div role="status" style="line-height: 1.3">{mark}{escape(verdict.says)}</div>'

    def _ipython_display_(self) -> None:
        who = audience()
        if who is Audience.NOBODY:
            return
        if who is Audience.PERSON:
            show_widget(self.box(), f"A form for {self.exercise}: run this cell to fill it in.")
        self._handle = notebook_display()(self.picture, display_id=True)

    def __repr__(self) -> str:
        return self.picture.alt


def _text(entry: object) -> str:
    if entry in (None, ...):
        return ""
    return entry if isinstance(entry, str) else " ".join(map(str, entry))


def _literal(entry: str) -> str:
    return f'"{entry.strip()}"' if entry.strip() and '"' not in entry and "\\" not in entry else "..."
