"""A notebook without a browser: what is displayed is kept, and who is there can be chosen."""

import types

import pytest

from course_lib.cards import session_outcomes


class Screen:
    """Everything that was displayed, and everything that was drawn in its place later."""

    def __init__(self):
        self.shown, self.updates = [], []

    def display(self, thing, raw=False, display_id=None):
        self.shown.append(thing)
        return types.SimpleNamespace(update=lambda other, raw=False: self.updates.append(other))


@pytest.fixture
def screen(monkeypatch):
    """A kernel whose cells come from a front end, where a person sits."""
    screen = Screen()
    shell = types.SimpleNamespace(kernel=types.SimpleNamespace(_allow_stdin=True))
    notebook = types.SimpleNamespace(get_ipython=lambda: shell, display=types.SimpleNamespace(display=screen.display))
    monkeypatch.setattr("course_lib.notebook_display._notebook", lambda: notebook)
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)
    screen.shell = shell
    return screen


@pytest.fixture
def reader(screen):
    """The same kernel, run by nbconvert or nbval: nobody can be asked."""
    screen.shell.kernel._allow_stdin = False
    return screen


@pytest.fixture
def grader(screen, monkeypatch):
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    return screen


@pytest.fixture(autouse=True)
def _new_session():
    session_outcomes.forget()
    yield
    session_outcomes.forget()
