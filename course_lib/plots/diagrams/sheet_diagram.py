"""A block diagram with the shapes of a student's own sheet, and what does not fit marked in place."""

from collections.abc import Mapping, Sequence

from course_lib.cards.shape_algebra import Shape, broken_relations, parse_shape, show_shape
from course_lib.cards.sheet_verdicts import tensors_of
from course_lib.plots.diagrams.block_diagram import Arrow, Box, block_diagram
from course_lib.plots.picture import Picture


def sheet_diagram(
    title: str,
    boxes: Sequence[Box],
    arrows: Sequence[Arrow],
    given: Mapping[str, Shape],
    relations: Sequence[str],
    sheet: Mapping[str, object],
) -> Picture:
    """The sheet's shapes on the diagram; "?" where one is missing, a dashed frame where one does not fit."""
    shapes = dict(given)
    unreadable = {}
    for name in (box.name for box in boxes if box.name not in given):
        entry = sheet.get(name)
        if entry in (None, ..., ""):
            continue
        try:
            shapes[name] = parse_shape(entry)
        except ValueError as error:
            unreadable[name] = str(error)
    known = [relation for relation in relations if tensors_of(relation) <= shapes.keys()]
    broken = unreadable | broken_relations(shapes, known)
    shown = {name: show_shape(shape) for name, shape in shapes.items()}
    return block_diagram(title, boxes, arrows, shown, broken)
