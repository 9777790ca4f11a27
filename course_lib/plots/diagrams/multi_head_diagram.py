"""Multi-head attention as a block diagram, with the shapes of a student's own sheet."""

from collections.abc import Mapping

from course_lib.cards import read_cards
from course_lib.plots.diagrams.block_diagram import Arrow, Box
from course_lib.plots.diagrams.sheet_diagram import sheet_diagram
from course_lib.plots.picture import Picture

BOXES = (
    Box("X_q", 0.0, 4.4, "input"),
    Box("X_kv", 0.0, 1.2, "input"),
    Box("W_q", 2.2, 5.5, "weight"),
    Box("W_k", 2.2, 2.9, "weight"),
    Box("W_v", 2.2, 0.1, "weight"),
    Box("Q", 4.4, 4.4, "result"),
    Box("K", 4.4, 2.2, "result"),
    Box("V", 4.4, 0.6, "result"),
    Box("Q_heads", 6.9, 4.4, "result"),
    Box("K_heads", 6.9, 2.2, "result"),
    Box("V_heads", 6.9, 0.6, "result"),
    Box("A", 9.2, 3.3, "result"),
    Box("Z_heads", 9.2, 1.4, "result"),
    Box("Z", 11.7, 1.4, "result"),
    Box("W_o", 11.7, 3.3, "weight"),
    Box("H", 13.9, 2.3, "result"),
)
ARROWS = (
    Arrow("X_q", "Q"),
    Arrow("W_q", "Q"),
    Arrow("X_kv", "K"),
    Arrow("W_k", "K"),
    Arrow("X_kv", "V"),
    Arrow("W_v", "V"),
    Arrow("Q", "Q_heads", "split"),
    Arrow("K", "K_heads", "split"),
    Arrow("V", "V_heads", "split"),
    Arrow("Q_heads", "A"),
    Arrow("K_heads", "A"),
    Arrow("A", "Z_heads"),
    Arrow("V_heads", "Z_heads"),
    Arrow("Z_heads", "Z", "merge"),
    Arrow("Z", "H"),
    Arrow("W_o", "H"),
)


def multi_head_diagram(sheet: Mapping[str, object]) -> Picture:
    """The sheet's shapes on the diagram; "?" where one is missing, a dashed frame where one does not fit."""
    card = read_cards()["multi_head_shapes"]
    given = {name: tuple(shape) for name, shape in card["given"].items()}
    return sheet_diagram("Multi-head attention, with your shapes", BOXES, ARROWS, given, card["relations"], sheet)
