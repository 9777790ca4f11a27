"""The block diagram of each shape exercise, with the shapes of a student's own sheet; what does not fit is marked."""

from collections.abc import Mapping

from course_lib.cards.shape_algebra import parse_shape, show_shape
from course_lib.cards.shape_exercises import CROSS_ATTENTION, DECODER_BLOCK, MATMUL, MULTI_HEAD, ShapeExercise
from course_lib.cards.sheet_verdicts import sheet_verdicts
from course_lib.plots.diagrams.block_diagram import Box, block_diagram
from course_lib.plots.picture import Picture
from course_lib.plots.skip_when_graded import skipped_when_graded


@skipped_when_graded
def cross_attention_diagram(sheet: Mapping[str, object]) -> Picture:
    """The sheet's shapes on the diagram; "?" where one is missing, a dashed frame where one does not fit."""
    return sheet_diagram(CROSS_ATTENTION, sheet)


@skipped_when_graded
def decoder_block_diagram(sheet: Mapping[str, object]) -> Picture:
    """The block with the sheet's shapes, one head drawn; X, the target, and M, the memory, are given."""
    return sheet_diagram(DECODER_BLOCK, sheet)


@skipped_when_graded
def matmul_diagram(sheet: Mapping[str, object]) -> Picture:
    """The sheet's shapes on the diagram; "?" where one is missing, a dashed frame where one does not fit."""
    return sheet_diagram(MATMUL, sheet)


@skipped_when_graded
def multi_head_diagram(sheet: Mapping[str, object]) -> Picture:
    """The sheet's shapes on the diagram; "?" where one is missing, a dashed frame where one does not fit."""
    return sheet_diagram(MULTI_HEAD, sheet)


def sheet_diagram(exercise: ShapeExercise, sheet: Mapping[str, object]) -> Picture:
    """The diagram of any shape exercise."""
    verdicts = sheet_verdicts(exercise.name, sheet)
    shapes = {name: parse_shape(entry) for name, entry in exercise.given.items()}
    shapes |= {name: verdict.shape for name, verdict in verdicts.items() if verdict.shape is not None}
    broken = {name: verdict.says for name, verdict in verdicts.items() if verdict.fits is False}
    shown = {name: show_shape(shape) for name, shape in shapes.items()}
    boxes = [Box(name, x, y, exercise.kind(name)) for name, (x, y) in exercise.boxes.items()]
    return block_diagram(exercise.title, boxes, exercise.arrows, shown, broken)
