"""A decoder block as a block diagram, with the shapes of a student's own sheet on every box.

Masked self-attention runs along the top from left to right, cross-attention comes back from right to left,
and the feed-forward network closes the block. One head is drawn; sums with the input and norms keep a shape.
"""

from collections.abc import Mapping

from course_lib.plots.diagrams.block_diagram import Arrow, Box
from course_lib.plots.diagrams.sheet_diagram import sheet_diagram
from course_lib.plots.picture import Picture

GIVEN = {"X": ("B", "n_tgt", "d"), "M": ("B", "n_src", "d")}

BOXES = (
    Box("X", 0, 6.2, "input"),
    *(Box(f"W_{part}1", 2.2, y, "weight") for part, y in zip("qkv", (7.3, 6.2, 5.1), strict=True)),
    *(Box(f"{part}1", 4.4, y) for part, y in zip("QKV", (7.3, 6.2, 5.1), strict=True)),
    Box("A1", 7.1, 6.75),
    Box("Z1", 8.9, 5.65),
    Box("W_o1", 11.1, 5.65, "weight"),
    Box("H1", 13.4, 4.1),
    Box("M", 13.4, 1.5, "input"),
    *(Box(f"W_{part}2", 11.1, y, "weight") for part, y in zip("qkv", (3.7, 2.6, 1.5), strict=True)),
    *(Box(f"{part}2", 8.9, y) for part, y in zip("QKV", (3.7, 2.6, 1.5), strict=True)),
    Box("A2", 6.2, 3.15),
    Box("Z2", 4.4, 2.05),
    Box("W_o2", 2.2, 2.05, "weight"),
    Box("H2", 0, 0.6),
    Box("W_1", 2.2, -0.3, "weight"),
    Box("F", 4.4, -0.3),
    Box("W_2", 6.6, -0.3, "weight"),
    Box("Y", 9.5, -0.3),
)
ARROWS = (
    *(Arrow("X", f"W_{part}1") for part in "qkv"),
    *(Arrow(f"W_{part.lower()}1", f"{part}1") for part in "QKV"),
    Arrow("Q1", "A1", "mask"),
    Arrow("K1", "A1", "softmax"),
    Arrow("A1", "Z1"),
    Arrow("V1", "Z1"),
    Arrow("Z1", "W_o1"),
    Arrow("W_o1", "H1", "+ X, norm"),
    Arrow("H1", "W_q2"),
    Arrow("M", "W_k2"),
    Arrow("M", "W_v2"),
    *(Arrow(f"W_{part.lower()}2", f"{part}2") for part in "QKV"),
    Arrow("Q2", "A2"),
    Arrow("K2", "A2", "softmax"),
    Arrow("A2", "Z2"),
    Arrow("V2", "Z2"),
    Arrow("Z2", "W_o2"),
    Arrow("W_o2", "H2", "+ H1, norm"),
    Arrow("H2", "W_1"),
    Arrow("W_1", "F", "ReLU"),
    Arrow("F", "W_2"),
    Arrow("W_2", "Y", "+ H2, norm"),
)
RELATIONS = (
    "Q1 = X @ W_q1",
    "K1 = X @ W_k1",
    "V1 = X @ W_v1",
    "A1 = Q1 @ K1.T",
    "Z1 = A1 @ V1",
    "H1 = Z1 @ W_o1",
    "H1 = X",
    "Q2 = H1 @ W_q2",
    "K2 = M @ W_k2",
    "V2 = M @ W_v2",
    "A2 = Q2 @ K2.T",
    "Z2 = A2 @ V2",
    "H2 = Z2 @ W_o2",
    "H2 = H1",
    "F = H2 @ W_1",
    "Y = F @ W_2",
    "Y = H2",
)


def decoder_block_diagram(sheet: Mapping[str, object]) -> Picture:
    """The block with the sheet's shapes; X, the target, and M, the memory, are given."""
    return sheet_diagram("A decoder block, with your shapes", BOXES, ARROWS, GIVEN, RELATIONS, sheet)
