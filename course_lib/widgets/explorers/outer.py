"""Unit 00: a multiplication table of two vectors that can be edited."""

from collections.abc import Callable

import torch
from jaxtyping import Float
from torch import Tensor

from course_lib.plots import Picture, outer_tables
from course_lib.widgets.explorers.base import Explorer
from course_lib.widgets.explorers.controls import Field
from course_lib.widgets.explorers.number_fields import read_numbers
from course_lib.widgets.explorers.student_function import OwnFunction, tensor_of

MOST = 8


def explore_outer(batched_outer: Callable) -> Explorer:
    """The table that `batched_outer(a, b)` makes of a batch of one pair."""

    def one_table(a: Float[Tensor, "1 n"], b: Float[Tensor, "1 m"]) -> Float[Tensor, "1 n m"]:
        return torch.stack([torch.outer(a[0], b[0])])

    table = OwnFunction("batched_outer", batched_outer, one_table)

    def draw(a: str, b: str) -> Picture:
        rows, columns = read_numbers("a", a, MOST)[None], read_numbers("b", b, MOST)[None]
        tables = table(rows, columns, fits=tensor_of(1, rows.shape[1], columns.shape[1]))
        return outer_tables(rows, columns, tables).sign(table.line)

    return Explorer(draw, {"a": Field("vector a", "1 2 3"), "b": Field("vector b", "1 2 3 4")})
