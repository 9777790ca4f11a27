"""Who is there decides what is shown."""

import sys

from course_lib.notebook_display import notebook_display
from course_lib.widgets.audience import Audience, audience


def test_a_front_end_has_a_person(screen):
    assert audience() is Audience.PERSON
    assert notebook_display() == screen.display


def test_a_run_in_which_nobody_can_be_asked_has_readers(reader):
    assert audience() is Audience.READER


def test_a_grader_looks_at_nothing(grader):
    assert audience() is Audience.NOBODY


def test_plain_python_has_readers_and_no_display(monkeypatch):
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)
    assert audience() is Audience.READER
    assert notebook_display() is None


def test_without_ipywidgets_a_picture_is_enough(screen, monkeypatch):
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    assert audience() is Audience.READER
