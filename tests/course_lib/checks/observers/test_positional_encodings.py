"""The table of positions: a buffer without training, or a trained parameter."""

import pytest
import torch
from torch import nn

from course_lib.checks import Finding
from course_lib.checks.observers import OBSERVERS
from course_lib.checks.question import Question
from course_lib.nn.positions import LearnedPositions, PositionalEncoding


def test_table_of_positions_is_read_from_the_buffer():
    found = OBSERVERS["position table"](Question("P", PositionalEncoding(4, 6), {}, ()))
    assert found["pe"].shape == (1, 6, 4)
    assert found["whether anything in it is trained"] is False


def with_table(keep):
    module = nn.Module()
    keep(module, torch.zeros(1, 6, 4))
    return module


@pytest.mark.parametrize(
    ("module", "words"),
    [
        (LearnedPositions(6, 4), "has no buffer called pe"),
        (with_table(lambda m, table: setattr(m, "pe", nn.Parameter(table))), "has pe as a parameter"),
        (with_table(lambda m, table: setattr(m, "pe", table)), "has its table as a plain attribute"),
        (with_table(lambda m, table: setattr(m, "encoding", table)), "has its table as a plain attribute"),
        (with_table(lambda m, table: m.register_buffer("table", table)), "has a buffer, but none called pe"),
    ],
)
def test_what_there_is_in_place_of_the_buffer_is_said(module, words):
    with pytest.raises(Finding, match=words):
        OBSERVERS["position table"](Question("P", module, {}, ()))


def test_gradient_must_reach_the_whole_table():
    class Cut(LearnedPositions):
        def forward(self, x):
            return x + self.table.detach()[: x.shape[1]]

    def arrives(module):
        question = Question("L", module, {"x": torch.zeros(2, 6, 4)}, ())
        return OBSERVERS["gradient of the position table"](question)["whether a gradient reaches the table"]

    assert arrives(LearnedPositions(6, 4))
    assert not arrives(Cut(6, 4))
    assert not arrives(nn.Sequential(Cut(6, 4), LearnedPositions(6, 4)))
