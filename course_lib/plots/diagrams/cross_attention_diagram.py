"""Cross-attention as a block diagram, with the shapes of a student's own sheet."""

from collections.abc import Mapping

from course_lib.cards import read_cards
from course_lib.plots.diagrams.block_diagram import Arrow, Box
from course_lib.plots.diagrams.sheet_diagram import sheet_diagram
from course_lib.plots.picture import Picture

BOXES = (
    Box("X_tgt", 0.0, 3.0, "input"),
    Box("X_src", 0.0, 0.8, "input"),
    Box("W_q", 2.2, 4.0, "weight"),
    Box("W_k", 2.2, 1.9, "weight"),
    Box("W_v", 2.2, -0.3, "weight"),
    Box("Q", 4.4, 3.0, "result"),
    Box("K", 4.4, 1.4, "result"),
    Box("V", 4.4, 0.1, "result"),
    Box("scores", 6.6, 2.2, "result"),
    Box("A", 8.9, 2.2, "result"),
    Box("Z", 11.1, 1.1, "result"),
)
ARROWS = (
    Arrow("X_tgt", "Q"),
    Arrow("W_q", "Q"),
    Arrow("X_src", "K"),
    Arrow("W_k", "K"),
    Arrow("X_src", "V"),
    Arrow("W_v", "V"),
    Arrow("Q", "scores"),
    Arrow("K", "scores"),
    Arrow("scores", "A", "softmax"),
    Arrow("A", "Z"),
    Arrow("V", "Z"),
)


def cross_attention_diagram(sheet: Mapping[str, object]) -> Picture:
    """The sheet's shapes on the diagram; "?" where one is missing, a dashed frame where one does not fit."""
    card = read_cards()["cross_attention_shapes"]
    given = {name: tuple(shape) for name, shape in card["given"].items()}
    return sheet_diagram("Cross-attention, with your shapes", BOXES, ARROWS, given, card["relations"], sheet)
