"""The computation of a shape exercise as rows of cells, top to bottom: tensors, and blocks that compute them."""

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
class Arrow:
    """From a tensor to one that is computed from it."""

    start: str
    end: str
    label: str = ""


@dataclass(frozen=True)
class Flow:
    """Rows of cells side by side; `widths` are the relative widths of the columns."""

    rows: tuple[Row, ...]
    widths: tuple[int, ...] = (1, 1, 1)

    @property
    def tensors(self) -> list[str]:
        """Every tensor of the flow, in the order of reading."""
        cells = [cell for row in self.rows for cell in row]
        names = [cell.tensor if isinstance(cell, Carried) else getattr(cell, "weight", None) for cell in cells]
        return [name for name in names if name]

    @property
    def weights(self) -> set[str]:
        return {cell.weight for row in self.rows for cell in row if isinstance(cell, Block) and cell.weight}

    def arrows(self, through_weights: bool = False) -> list[Arrow]:
        """From each block's tensors and weight to its result, or from its tensors `through_weights` to its result."""
        arrows = []
        # of each column: the last tensor so far, and the last block with its inputs
        tensors = [""] * len(self.widths)
        blocks: list[tuple[Block, list[str]]] = [(Block(""), [])] * len(self.widths)
        for row in self.rows:
            for cell, start, end in spans(row):
                if isinstance(cell, Block):
                    blocks[start:end] = [(cell, list(dict.fromkeys(tensors[start:end])))] * cell.columns
                elif isinstance(cell, Carried):
                    if not cell.outside:
                        arrows += _arrows_of(*blocks[start], cell.tensor, through_weights)
                    tensors[start:end] = [cell.tensor] * cell.columns
        return arrows


def _arrows_of(block: Block, inputs: list[str], result: str, through_weight: bool) -> list[Arrow]:
    """Into one result. A label names a step that has a single arrow: "softmax", or what follows a weight."""
    if block.weight is None:
        return [Arrow(name, result, block.does if len(inputs) == 1 else "") for name in inputs]
    into = block.weight if through_weight else result
    return [*(Arrow(name, into) for name in inputs), Arrow(block.weight, result, block.then.removeprefix("then "))]


def spans(row: Row) -> Iterator[tuple[Cell, int, int]]:
    """Each cell with its first column and the one after its last."""
    ends = list(accumulate(cell.columns for cell in row))
    return zip(row, [0, *ends], ends, strict=False)
