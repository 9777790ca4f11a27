"""A training to watch: the bar everywhere, the curve in a notebook, in one place and at the end."""

import pytest

from course_lib.training import live_curve
from course_lib.training.live_curve import LiveCurve


class Handle:
    def __init__(self):
        self.pictures = []

    def update(self, picture):
        self.pictures.append(picture)


@pytest.fixture
def handle(monkeypatch):
    """What a notebook would show."""
    shown = Handle()

    def display(picture, display_id):
        assert display_id
        shown.update(picture)
        return shown

    monkeypatch.setattr(live_curve, "notebook_display", lambda: display)
    return shown


def watched(steps, seconds):
    curve = LiveCurve(steps, "A training", seconds)
    for step in range(1, steps + 1):
        curve(step, 4.0 / step)
    return curve


def test_the_curve_is_drawn_at_the_first_and_the_last_step(handle, capsys):
    watched(4, seconds=1000.0)
    assert len(handle.pictures) == 2
    assert handle.pictures[-1].alt == "A training. loss against step: loss goes from 4 to 1."
    assert "step 4/4" in capsys.readouterr().out


def test_the_curve_grows_when_it_is_time(handle):
    watched(3, seconds=0.0)
    assert len(handle.pictures) == 3


def test_outside_a_notebook_only_the_bar_is_shown(capsys):
    assert watched(2, seconds=0.0).losses == [4.0, 2.0]
    assert "step 2/2" in capsys.readouterr().out
