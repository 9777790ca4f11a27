"""Pictures: they draw, say in words what they show, and survive half-finished work."""

import torch

from autograder.exams.unit_01.shape_sheet import SHEET
from course_lib import plots
from course_lib.tasks.toy_words import embed


def png(picture):
    data, metadata = picture._repr_mimebundle_()
    assert metadata["image/png"]["alt"] == picture.alt == data["text/plain"]
    return data["image/png"]


def test_attention_maps_say_where_each_query_looks():
    weights = torch.tensor([[0.1, 0.9], [0.8, 0.2], [0.5, 0.5]])
    picture = plots.attention_maps({"first": weights, "second": 1 - weights})
    assert "first: query 0 looks most at key 1, query 1 looks most at key 0" in picture.alt
    assert len(png(picture)) > 1000


def test_diagram_shows_the_students_shapes():
    picture = plots.cross_attention_diagram(SHEET)
    assert "scores has shape (B, n_tgt, n_src)" in picture.alt
    assert "✗" not in picture.alt
    assert len(png(picture)) > 1000


def test_diagram_marks_what_does_not_fit():
    picture = plots.cross_attention_diagram(SHEET | {"K": "B n_tgt d_q", "Z": "what?", "V": ...})
    assert "✗ K: X_src @ W_k gives (B, n_src, d_q)" in picture.alt
    assert "✗ Z: 'what?' is not the name of a dimension" in picture.alt
    assert "V has shape unknown" in picture.alt
    png(picture)


def test_blank_sheet_can_be_drawn():
    png(plots.cross_attention_diagram(dict.fromkeys(SHEET, ...)))


def test_words_that_mean_the_same_are_near():
    cat, chat, dog = embed(["cat", "chat", "dog"])
    assert cat @ chat > cat @ dog
