"""A training to watch: the bar everywhere, the curve in a notebook, in one place and at the end."""

import sys
from types import SimpleNamespace

from course_lib.training_view import LiveCurve


class Handle:
    def __init__(self):
        self.pictures = []

    def update(self, picture):
        self.pictures.append(picture)


def notebook(handle, inside=True):
    def display(picture, display_id):
        handle.update(picture)
        return handle

    shell = SimpleNamespace() if inside else None
    return SimpleNamespace(get_ipython=lambda: shell, display=SimpleNamespace(display=display))


def watched(steps, seconds):
    curve = LiveCurve(steps, "A training", seconds)
    for step in range(1, steps + 1):
        curve(step, 4.0 / step)
    return curve


def test_the_curve_is_drawn_at_the_first_and_the_last_step(monkeypatch, capsys):
    handle = Handle()
    monkeypatch.setitem(sys.modules, "IPython", notebook(handle))
    watched(4, seconds=1000.0)
    assert len(handle.pictures) == 2
    assert handle.pictures[-1].alt == "A training. loss against step: loss goes from 4 to 1."
    assert "step 4/4" in capsys.readouterr().out


def test_the_curve_grows_when_it_is_time(monkeypatch):
    handle = Handle()
    monkeypatch.setitem(sys.modules, "IPython", notebook(handle))
    watched(3, seconds=0.0)
    assert len(handle.pictures) == 3


def test_outside_a_notebook_only_the_bar_is_shown(monkeypatch, capsys):
    handle = Handle()
    monkeypatch.setitem(sys.modules, "IPython", notebook(handle, inside=False))
    assert watched(2, seconds=0.0).losses == [4.0, 2.0]
    assert not handle.pictures
    assert "step 2/2" in capsys.readouterr().out
