"""A living widget hides what stands in for it; without one, that is what there is to read."""

import re

from ipywidgets.widgets.widget import _instances as living_widgets

from course_lib.widgets import quiz
from course_lib.widgets.showing import VIEW


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
