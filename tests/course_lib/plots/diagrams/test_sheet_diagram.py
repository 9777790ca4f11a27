"""The diagrams of shape exercises show a student's shapes and mark in place what does not fit."""

import pytest

from autograder.exams.unit_00.warm_up import SHEET as PRODUCTS
from autograder.exams.unit_01.shape_sheet import SHEET as CROSS
from autograder.exams.unit_04.shape_sheet import SHEET as HEADS
from autograder.exams.unit_05.shape_sheet import SHEET as DECODER
from course_lib import plots


def png(picture):
    data, metadata = picture._repr_mimebundle_()
    assert metadata["image/png"]["alt"] == picture.alt == data["text/plain"]
    return data["image/png"]


@pytest.mark.parametrize(
    ("diagram", "sheet"),
    [
        (plots.matmul_diagram, PRODUCTS),
        (plots.cross_attention_diagram, CROSS),
        (plots.multi_head_diagram, HEADS),
        (plots.decoder_block_diagram, DECODER),
    ],
)
def test_a_right_sheet_has_no_complaint_and_a_blank_one_can_be_drawn(diagram, sheet):
    picture = diagram(sheet)
    for mark in ("✗", "unknown"):
        assert mark not in picture.alt
    assert len(png(picture)) > 1000
    png(diagram(dict.fromkeys(sheet, ...)))


def test_diagram_shows_the_students_shapes():
    picture = plots.cross_attention_diagram(CROSS)
    assert "scores has shape (B, n_tgt, n_src)" in picture.alt
    assert "✗" not in picture.alt
    assert len(png(picture)) > 1000


def test_diagram_marks_what_does_not_fit():
    picture = plots.cross_attention_diagram(CROSS | {"K": "B n_tgt d_q", "Z": "what?", "V": ...})
    assert "✗ K: K is made from X_src" in picture.alt
    assert "✗ Z: 'what?' is not the name of a dimension" in picture.alt
    assert "V has shape unknown" in picture.alt
    png(picture)


def test_a_dimension_of_another_name_is_marked():
    assert "✗ K: there is no dimension called seq" in plots.cross_attention_diagram(CROSS | {"K": "B seq d_q"}).alt


@pytest.mark.parametrize(
    ("slip", "complaint"),
    [
        ({"W": "d_k d"}, "✗ W: In X @ W, the last dimension of X meets the second-to-last of W"),
        ({"G": "n n"}, "✗ G: Every row of P is compared with every row of P"),
        ({"R": ...}, "R has shape unknown"),
    ],
)
def test_a_product_that_does_not_fit_is_marked(slip, complaint):
    picture = plots.matmul_diagram(PRODUCTS | slip)
    assert complaint in picture.alt
    png(picture)


@pytest.mark.parametrize(
    ("name", "shape", "complaint"),
    [
        ("K2", "B n_tgt d_k", "✗ K2: K2 is made from the memory"),
        ("A1", "B n_tgt d_k", "✗ A1: Rows are queries and columns are keys"),
        ("W_o1", "d_v d_v", "✗ W_o1: W_o1 makes H1"),
        ("F", 7, "✗ F: expected dimension names"),
    ],
)
def test_a_wrong_shape_is_marked_in_place(name, shape, complaint):
    assert complaint in plots.decoder_block_diagram(DECODER | {name: shape}).alt
