"""Every plot of the course is skipped while a submission is graded, whichever way it is imported."""

import inspect

import pytest

from course_lib import plots
from course_lib.plots.attention_map import attention_maps
from course_lib.plots.skip_when_graded import Undrawn

PLOTS = [name for name in plots.__all__ if name != "Picture"]


@pytest.mark.parametrize("name", PLOTS)
def test_every_plot_is_skipped_and_keeps_its_signature(name, monkeypatch):
    plot = getattr(plots, name)
    assert inspect.signature(plot).return_annotation is plots.Picture
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    assert isinstance(plot(), Undrawn)
    assert plot()._repr_mimebundle_()[0] == {"text/plain": f"({name}: not drawn while grading)"}
    plot().sign("a line at its foot").png()  # what a student's cell may do with a picture


def test_a_plot_is_the_same_from_its_module_and_from_the_package():
    assert attention_maps is plots.attention_maps
