"""The 2017 Transformer from far away: what goes in, what the encoder hands to the decoder, and what comes out."""

from course_lib.cards.shape_flow import Arrow
from course_lib.plots.diagrams.block_diagram import Box, block_diagram
from course_lib.plots.picture import Picture
from course_lib.plots.skip_when_graded import skipped_when_graded

BOXES = (
    Box("source", 0, 2.0, "input"),
    Box("memory", 4.0, 2.0),
    Box("target", 4.0, 0.2, "input"),
    Box("scores", 8.0, 1.1),
)
ARROWS = (
    Arrow("source", "memory", "encoder"),
    Arrow("memory", "scores", "decoder"),
    Arrow("target", "scores", "decoder"),
)
SHAPES = {
    "source": "(B, n_src)",
    "memory": "(B, n_src, d)",
    "target": "(B, n_tgt)",
    "scores": "(B, n_tgt, vocab)",
}


@skipped_when_graded
def transformer_overview() -> Picture:
    """Tokens of the source and of the target so far go in; a score for every word of the vocabulary comes out."""
    return block_diagram("The Transformer of 2017, from far away", BOXES, ARROWS, SHAPES, {})
