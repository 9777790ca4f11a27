"""Show a widget together with a static stand-in for pages without a live kernel.

A saved notebook holds only the id of a widget. The stand-in is therefore a separate output, and the live widget brings
a style sheet that hides it; a page opened later, elsewhere or in print shows the stand-in.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING
from uuid import uuid4

from course_lib.notebook_display import require_display
from course_lib.widgets.audience import has_widgets
from course_lib.widgets.style import STYLE

if TYPE_CHECKING:
    import ipywidgets

VIEW = "application/vnd.jupyter.widget-view+json"

# Hide JupyterLab's empty output of a widget that is gone: the stand-in below says what to do.
_NO_REMNANT = (
    "<style>.jp-OutputArea-child:has(+ .jp-OutputArea-child .{name}) > .jp-OutputArea-output:not(:has(*)) "
    "{{ display: none }}</style>"
)


def how_to(act: str) -> str:
    """What to do in order to `act`, such as "answer", where a still picture or text is all there is."""
    if has_widgets():
        return f"Run this cell to {act}. If no controls appear, open the notebook in JupyterLab."
    return (
        f"Controls need ipywidgets, which is missing. To {act}, run %pip install ipywidgets in a new cell, "
        "restart the kernel, and run this cell again."
    )


def show_widget(widget: "ipywidgets.Widget", stand_in: Mapping[str, str]) -> Callable[[Mapping[str, str]], None]:
    """Display the widget and its stand-in, given by MIME type; returns a function that replaces the stand-in."""
    import ipywidgets

    name = f"course-stand-in-{uuid4().hex[:12]}"
    hiding = ipywidgets.HTML(f"<style>{STYLE}.{name} {{ display: none }}</style>", layout={"display": "none"})
    live = ipywidgets.VBox([hiding, widget])
    display = require_display()
    # written out, because ipywidgets 7 (Google Colab) has no method that returns it
    view = {"model_id": live.model_id, "version_major": 2, "version_minor": 0}
    display({VIEW: view, "text/plain": ""}, raw=True)
    handle = display(_hidden_by(name, stand_in), raw=True, display_id=True)
    return lambda other: handle.update(_hidden_by(name, other), raw=True)


def _hidden_by(name: str, stand_in: Mapping[str, str]) -> dict[str, str]:
    page = f'{_NO_REMNANT.format(name=name)}<div class="{name}">{stand_in["text/html"]}</div>'
    return {**stand_in, "text/html": page}
