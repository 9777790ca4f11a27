"""What an answer must refuse, and what not."""

import pytest
import torch
from torch import nn

from course_lib.checks.finding import Finding
from course_lib.checks.refusals import Refusal


class Limited(nn.Module):
    def __init__(self, limit, words="{n} is more than {limit}"):
        super().__init__()
        self.limit, self.words = limit, words

    def forward(self, x):
        if x.shape[1] > self.limit:
            raise ValueError(self.words.format(n=x.shape[1], limit=self.limit))
        return x


REFUSAL = Refusal("Limited", ([4], [torch.zeros(1, 4)]), ([4], [torch.zeros(1, 5)]), (4, 5))


def test_a_right_refusal():
    REFUSAL.examine(Limited)


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda limit: Limited(limit + 1), "raises no error"),
        (lambda limit: Limited(limit, ""), "without a word"),
        (lambda limit: Limited(limit, "too long"), "does not say 4 or 5"),
        (lambda limit: Limited(limit - 1), "raised ValueError"),
    ],
)
def test_wrong_refusals(answer, says):
    with pytest.raises(Finding, match=says):
        REFUSAL.examine(answer)
