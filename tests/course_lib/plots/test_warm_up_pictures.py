"""The pictures of unit 00: multiplication tables, four products, and the Transformer from far away."""

import pytest
import torch

from autograder.exams.unit_00.warm_up import SHEET
from course_lib import plots
from course_lib.plots.diagrams.matmul_diagram import ARROWS, BOXES
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


def test_a_right_sheet_has_no_complaint_and_every_tensor_a_box():
    picture = plots.matmul_diagram(SHEET)
    assert "✗" not in picture.alt
    assert {box.name for box in BOXES} == {"X", "Y", *SHEET}
    assert {end for arrow in ARROWS for end in (arrow.start, arrow.end)} == {box.name for box in BOXES}
    png(picture)


@pytest.mark.parametrize(
    ("slip", "complaint"),
    [
        ({"W": "d_k d"}, "✗ P: X @ W multiplies (B, n, d) by (d_k, d): the inner dimensions d and d_k differ"),
        ({"G": "n n"}, "✗ G: P @ P.T gives (B, n, n), but your sheet says (n, n)"),
        ({"R": ...}, "R has shape unknown"),
    ],
)
def test_what_does_not_fit_is_marked(slip, complaint):
    picture = plots.matmul_diagram(SHEET | slip)
    assert complaint in picture.alt
    png(picture)


def test_blank_sheet_can_be_drawn():
    png(plots.matmul_diagram(dict.fromkeys(SHEET, ...)))


def test_overview_names_what_goes_in_and_comes_out():
    picture = plots.transformer_overview()
    for name, shape in SHAPES.items():
        assert f"{name} has shape {shape}" in picture.alt
    png(picture)
