"""A failing check: shown to a person, words first, and raised wherever nobody looks."""

import types

import pytest
import torch

from course_lib.cards import session_outcomes
from course_lib.cards.session_outcomes import Outcome, outcomes
from course_lib.checks import CheckFailed, check
from course_lib.plots import Picture


@pytest.fixture(autouse=True)
def _new_session():
    session_outcomes.forget()
    yield
    session_outcomes.forget()


@pytest.fixture
def kernel(monkeypatch, capsys):
    """A kernel with a front end; `shown` are what was printed and displayed, in order."""
    shown = []

    def display(thing):
        shown.append(capsys.readouterr().out)
        shown.append(thing)

    kernel = types.SimpleNamespace(_allow_stdin=True, shown=shown)
    shell = types.SimpleNamespace(kernel=kernel)
    notebook = types.SimpleNamespace(get_ipython=lambda: shell, display=types.SimpleNamespace(display=display))
    monkeypatch.setattr("course_lib.notebook_display._notebook", lambda: notebook)
    return kernel


def unscaled(q, k, v, mask=None):
    scores = q @ k.mT
    weights = (scores if mask is None else scores.masked_fill(mask, -torch.inf)).softmax(-1)
    return weights @ v, weights


def test_words_come_above_the_picture_and_the_cells_below_still_run(kernel):
    check("scaled_dot_product_attention", unscaled)
    words, picture = kernel.shown
    assert words.startswith("✗ scaled_dot_product_attention")
    assert "√d_k" in words
    assert isinstance(picture, Picture)
    assert "difference" in picture.alt
    assert outcomes() == {"scaled_dot_product_attention": Outcome.FAILS}


def test_a_blank_answer_is_shown_too(kernel, capsys):
    check("query_key_value_roles", ...)
    assert "not answered yet" in capsys.readouterr().out
    assert outcomes() == {"query_key_value_roles": Outcome.NOT_TRIED}


def test_without_a_front_end_a_failure_is_raised_and_nothing_is_drawn(kernel):
    """As nbgrader's Validate, nbval, nbconvert and `course check` run cells."""
    kernel._allow_stdin = False
    with pytest.raises(CheckFailed):
        check("scaled_dot_product_attention", unscaled)
    assert kernel.shown == []
