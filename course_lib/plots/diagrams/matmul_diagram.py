"""Four matrix products as a block diagram, with the shapes of a student's own sheet."""

from collections.abc import Mapping

from course_lib.cards import read_cards
from course_lib.plots.diagrams.block_diagram import Arrow, Box
from course_lib.plots.diagrams.sheet_diagram import sheet_diagram
from course_lib.plots.picture import Picture

BOXES = (
    Box("W", 0, 3.3, "weight"),
    Box("X", 0, 1.9, "input"),
    Box("Y", 0, 0.3, "input"),
    Box("P", 2.6, 2.7),
    Box("S", 2.6, 1.1),
    Box("G", 5.2, 2.7),
    Box("R", 5.2, 0.3),
)
ARROWS = (
    Arrow("X", "P"),
    Arrow("W", "P"),
    Arrow("P", "G", "P Pᵀ"),
    Arrow("X", "S"),
    Arrow("Y", "S", "Yᵀ"),
    Arrow("S", "R"),
    Arrow("Y", "R"),
)


def matmul_diagram(sheet: Mapping[str, object]) -> Picture:
    """The sheet's shapes on the diagram; "?" where one is missing, a dashed frame where one does not fit."""
    card = read_cards()["matmul_shapes"]
    given = {name: tuple(shape) for name, shape in card["given"].items()}
    return sheet_diagram("Four products, with your shapes", BOXES, ARROWS, given, card["relations"], sheet)
