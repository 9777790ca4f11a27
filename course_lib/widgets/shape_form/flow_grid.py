"""A flow drawn with ordinary widgets: a grid of blocks and fields, with lines and arrow heads between its rows."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING

from course_lib.cards.shape_flow import Block, Carried, Cell, Flow, spans
from course_lib.widgets.shape_form.flow import Line, lines_between, lines_out

if TYPE_CHECKING:
    import ipywidgets


def flow_grid(flow: Flow, chips: Mapping[str, "ipywidgets.Widget"]) -> "ipywidgets.Widget":
    """The flow, with the chip of each tensor on its arrow or in its block; tab goes from top to bottom."""
    import ipywidgets

    columns = " ".join(f"minmax(0, {width}fr)" for width in flow.widths)
    children = []
    for number, row in enumerate(flow.rows):
        for cell, start, end in spans(row):
            widget = _cell(cell, chips)
            widget.layout.grid_area = f"{2 * number + 1} / {start + 1} / auto / {end + 1}"
            children.append(widget)
        below = flow.rows[number + 1 : number + 2]
        lines = lines_between(row, *below) if below else lines_out(row)
        children.append(_connector(lines, columns, 2 * number + 2))
    grid = ipywidgets.GridBox(children, layout={"grid_template_columns": columns})
    return ipywidgets.VBox([grid.add_class("course-flow")]).add_class("course-flow-place")


def _cell(cell: Cell, chips: Mapping[str, "ipywidgets.Widget"]) -> "ipywidgets.Widget":
    import ipywidgets

    match cell:
        case Block(does, _, weight, then):
            texts = [ipywidgets.HTML(escape(text)) for text in (does, then) if text]
            inside = [texts[0], chips[weight], *texts[1:]] if weight else texts
            return ipywidgets.VBox(inside).add_class("course-block")
        case Carried(tensor):
            return ipywidgets.VBox([chips[tensor]]).add_class("course-carried")
        case _:
            return ipywidgets.Box().add_class("course-passing")


def _connector(lines: Sequence[Line], columns: str, place: int) -> "ipywidgets.HTML":
    import ipywidgets

    drawn = "".join(_line(line) for line in lines)
    page = f'<div class="course-lines" aria-hidden="true" style="grid-template-columns: {columns}">{drawn}</div>'
    return ipywidgets.HTML(page, layout={"grid_area": f"{place} / 1 / auto / -1"}).add_class("course-connector")


def _line(line: Line) -> str:
    looks = {"course-head": line.arrives, "course-left": line.left, "course-right": line.right}
    names = " ".join(["course-line", *(name for name, has in looks.items() if has)])
    return f'<i class="{names}" style="grid-column: {line.start + 1} / {line.end + 1}"></i>'
