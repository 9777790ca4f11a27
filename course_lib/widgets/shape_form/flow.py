"""The flow of a shape exercise from top to bottom: blocks, and arrows between them that carry one tensor each."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate


@dataclass(frozen=True)
class Carried:
    """A tensor on its arrow; one from outside has no block above it."""

    tensor: str
    columns: int = 1
    outside: bool = False


@dataclass(frozen=True)
class Block:
    """A step of the computation; `weight` is the tensor that it owns, if it has one, and `then` what it does last."""

    does: str
    columns: int = 1
    weight: str | None = None
    then: str = ""


@dataclass(frozen=True)
class Passing:
    """An arrow on its way from a tensor above to a block below."""

    columns: int = 1


Cell = Carried | Block | Passing
Row = tuple[Cell, ...]


@dataclass(frozen=True)
class Flow:
    """Rows of cells side by side; `widths` are those of the columns, as shares."""

    rows: tuple[Row, ...]
    widths: tuple[int, ...] = (1, 1, 1)

    @property
    def tensors(self) -> list[str]:
        """Every tensor with a place, in the order of reading."""
        cells = [cell for row in self.rows for cell in row]
        names = [cell.tensor if isinstance(cell, Carried) else getattr(cell, "weight", None) for cell in cells]
        return [name for name in names if name]


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


def spans(row: Row) -> Iterator[tuple[Cell, int, int]]:
    """Each cell with its first column and the one after its last."""
    ends = list(accumulate(cell.columns for cell in row))
    return zip(row, [0, *ends], ends, strict=False)


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
