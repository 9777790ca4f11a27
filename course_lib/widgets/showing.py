"""Showing a widget together with what stands in for it wherever widgets cannot be shown."""

from course_lib.widgets.audience import notebook_display

VIEW = "application/vnd.jupyter.widget-view+json"


def show_widget(widget: object, text: str, page: str | None = None) -> None:
    """Display the widget; `text`, and `page` in HTML, are what GitHub, a printed page or a mail will show."""
    data = dict(widget._repr_mimebundle_()) | {"text/plain": text}
    if page is not None:
        data["text/html"] = page
    notebook_display()(data, raw=True)
