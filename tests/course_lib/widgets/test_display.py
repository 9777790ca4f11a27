"""A living widget hides what stands in for it; without one, that is what there is to read."""

import re
import sys

import ipywidgets
import pytest
import torch
from ipywidgets.widgets.widget import _instances as living_widgets

from course_lib.plots import Picture
from course_lib.widgets import explore_softmax, progress, quiz, shape_form
from course_lib.widgets.display import VIEW


def test_a_widget_hides_its_own_stand_in_alone(screen):
    for name in ("doubled_input", "longer_source"):
        quiz(name)._ipython_display_()
    names = [re.search(r'<div class="([\w-]+)">', shown["text/html"])[1] for shown in screen.shown[1::2]]
    assert len(set(names)) == 2
    styles = [living_widgets[shown[VIEW]["model_id"]].children[0].value for shown in screen.shown[::2]]
    assert [[name in style for name in names] for style in styles] == [[True, False], [False, True]]


def test_what_is_saved_can_be_read_without_widgets(screen):
    quiz("doubled_input")._ipython_display_()
    living, stand_in = screen.shown
    assert living.keys() == {VIEW, "text/plain"}
    assert living["text/plain"] == ""
    assert VIEW not in stand_in
    assert "8 f(X)" in stand_in["text/html"]
    assert "8 f(X)" in stand_in["text/plain"]


SHOWN = {
    "quiz": lambda: quiz("doubled_input"),
    "shape_form": lambda: shape_form("matmul_shapes"),
    "explorer": lambda: explore_softmax(torch.softmax),
}
EACH = pytest.mark.parametrize("name", SHOWN)


def without_widgets(shown):
    """What is left of the outputs where nothing shows a widget."""
    bundles = [thing._repr_mimebundle_()[0] if isinstance(thing, Picture) else thing for thing in shown]
    left = [{kind: text for kind, text in bundle.items() if kind != VIEW and text} for bundle in bundles]
    return [bundle for bundle in left if bundle]


def is_still(bundle):
    """A picture, or the question of a quiz."""
    return "image/png" in bundle or any(tag in bundle.get("text/html", "") for tag in ("<img src=", "<li>8 f(X)</li>"))


@EACH
def test_a_front_end_without_widgets_shows_something_still_and_a_sentence(name, screen):
    SHOWN[name]()._ipython_display_()
    left = without_widgets(screen.shown)
    assert any(map(is_still, left))
    for kind in ("text/plain", "text/html"):
        assert "Run this cell to " in left[0][kind]
        assert "If no controls appear, open the notebook in JupyterLab." in left[0][kind]


@EACH
def test_without_ipywidgets_the_sentence_says_how_to_get_it(name, screen, monkeypatch):
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    SHOWN[name]()._ipython_display_()
    assert any(map(is_still, without_widgets(screen.shown)))
    for kind in ("text/plain", "text/html"):
        assert "Controls need ipywidgets, which is missing." in screen.shown[0][kind]
        assert "run %pip install ipywidgets in a new cell" in screen.shown[0][kind]


def test_the_progress_panel_needs_no_widgets(screen, monkeypatch):
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    progress("01")._ipython_display_()
    assert "<table" in screen.shown[0]["text/html"]
    assert VIEW not in screen.shown[0]


@EACH
def test_widgets_of_the_older_kind_that_colab_has_are_shown_too(name, screen, monkeypatch):
    """ipywidgets 7 has no `_repr_mimebundle_`."""
    monkeypatch.delattr(ipywidgets.Widget, "_repr_mimebundle_")
    SHOWN[name]()._ipython_display_()
    assert screen.shown[0][VIEW]["model_id"] in living_widgets
