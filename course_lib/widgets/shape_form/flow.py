"""Lines between the rows of a flow: pieces of the arrows that carry one tensor each."""

from dataclasses import dataclass

from course_lib.cards.shape_flow import Block, Carried, Row, spans


@dataclass(frozen=True)
class Line:
    """A piece of an arrow between two rows, in the middle of the columns from `start` to `end`.

    `left` and `right` say on which side another piece comes from the same tensor.
    """

    start: int
    end: int
    arrives: bool
    left: bool = False
    right: bool = False


def lines_between(above: Row, below: Row) -> list[Line]:
    """Where a cell stands over another, a line joins them; at a block it ends in a head."""
    lines = []
    for upper, start, end in spans(above):
        joined = [
            (cell, max(start, first), min(end, last))
            for cell, first, last in spans(below)
            if max(start, first) < min(end, last) and not (isinstance(cell, Carried) and cell.outside)
        ]
        forks = isinstance(upper, Carried)
        lines += [
            Line(first, last, isinstance(cell, Block), forks and place > 0, forks and place < len(joined) - 1)
            for place, (cell, first, last) in enumerate(joined)
        ]
    return lines


def lines_out(row: Row) -> list[Line]:
    """What the last row carries goes on to whatever comes next."""
    return [Line(start, end, arrives=True) for _, start, end in spans(row)]
