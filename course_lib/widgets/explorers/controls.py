"""Controls of an explorer as plain data; widgets are made of them only for a person."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ipywidgets

WIDE = "min(28em, 98%)"
COLUMNS = "repeat(auto-fill, minmax(min(24em, 100%), 1fr))"  # as many columns as fit


@dataclass(frozen=True)
class Slider:
    """A number between two ends; whole if its step is."""

    label: str
    value: float | int
    low: float | int
    high: float | int
    step: float | int = 1


@dataclass(frozen=True)
class Steps:
    """One of a few values in order, on a slider; `shown` are their names."""

    label: str
    value: object
    options: Sequence
    shown: Sequence[str] | None = None


@dataclass(frozen=True)
class Choice:
    """One of a few values, from a list."""

    label: str
    value: object
    options: Sequence
    shown: Sequence[str] | None = None


@dataclass(frozen=True)
class Switch:
    label: str
    value: bool


@dataclass(frozen=True)
class Field:
    """Text to edit, in one line or several."""

    label: str
    value: str
    rows: int = 1


Control = Slider | Steps | Choice | Switch | Field


def control_widget(control: Control) -> "ipywidgets.Widget":
    """The ipywidgets form of a control; its label is the text that a screen reader says."""
    import ipywidgets

    about = {
        "description": control.label,
        "value": control.value,
        "style": {"description_width": "9em"},
        "layout": ipywidgets.Layout(width=WIDE),
    }
    match control:
        case Slider():
            kind = ipywidgets.IntSlider if isinstance(control.step, int) else ipywidgets.FloatSlider
            return kind(min=control.low, max=control.high, step=control.step, **about)
        case Steps():
            return ipywidgets.SelectionSlider(options=_named(control), **about)
        case Choice():
            return ipywidgets.Dropdown(options=_named(control), **about)
        case Switch():
            return ipywidgets.Checkbox(indent=False, **about | {"style": {"description_width": "initial"}})
        case Field():
            if control.rows == 1:
                return ipywidgets.Text(continuous_update=True, **about)
            return ipywidgets.Textarea(rows=control.rows, continuous_update=True, **about)


def shown(control: Control, value: object) -> str:
    """A value of a control in words."""
    match control:
        case Steps() | Choice():
            return {option: name for name, option in _named(control)}[value]
        case Switch():
            return "yes" if value else "no"
        case Field():
            return "; ".join(str(value).splitlines())
        case _:
            return f"{value:g}"


def _named(control: Steps | Choice) -> list[tuple[str, object]]:
    names = control.shown or [str(option) for option in control.options]
    return list(zip(names, control.options, strict=True))
