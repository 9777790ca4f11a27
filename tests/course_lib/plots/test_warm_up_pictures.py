"""The pictures of unit 00: multiplication tables, and the Transformer from far away."""

import pytest
import torch

from course_lib import plots
from course_lib.plots.diagrams.transformer_overview import SHAPES


def png(picture):
    data, metadata = picture._repr_mimebundle_()
    assert metadata["image/png"]["alt"] == picture.alt == data["text/plain"]
    assert len(data["image/png"]) > 1000


def test_tables_show_every_number_under_its_factors():
    a, b = torch.tensor([[1.0, 2.0], [3.0, 0.5]]), torch.tensor([[5.0, 7.0, 9.0], [1.0, 0.0, -2.0]])
    picture = plots.outer_tables(a, b, a[:, :, None] * b[:, None])
    assert "Table 0: rows 1, 2, columns 5, 7, 9, entries 5, 7, 9; 10, 14, 18." in picture.alt
    first, second = picture.axes
    assert [label.get_text() for label in second.get_yticklabels()] == ["3", "0.5"]
    assert [text.get_text() for text in first.texts] == ["5", "7", "9", "10", "14", "18"]
    assert (first.get_title(), first.get_xlabel(), first.get_ylabel()) == ("c[0]", "b[0]", "a[0]")
    png(picture)


def test_tables_of_another_shape_are_explained():
    a, b = torch.ones(2, 3), torch.ones(2, 4)
    with pytest.raises(ValueError, match=r"have shape \(2, 4, 3\), expected \(2, 3, 4\)"):
        plots.outer_tables(a, b, torch.ones(2, 4, 3))


def test_overview_names_what_goes_in_and_comes_out():
    picture = plots.transformer_overview()
    for name, shape in SHAPES.items():
        assert f"{name} has shape {shape}" in picture.alt
    png(picture)
