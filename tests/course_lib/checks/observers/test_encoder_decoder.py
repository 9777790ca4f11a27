"""A Transformer, asked part by part: a slip in one part shows in that part."""

import torch

from autograder.exams.unit_06 import transformer_mistakes as mistakes
from course_lib.checks.observers import OBSERVERS
from course_lib.checks.question import Question
from course_lib.models.configs import TransformerConfig

CONFIG = TransformerConfig(9, 7, 6, 2, 5, 2, 9)
SRC, TGT = torch.tensor([[3, 5, 8, 0], [4, 6, 0, 0]]), torch.tensor([[1, 2, 3], [1, 5, 6]])
PARTS = ("embedded tokens", "source mask", "encoder blocks", "decoder blocks")


def _parts_that_differ(kind):
    right, other = mistakes.Flawed(CONFIG).eval(), kind(CONFIG).eval()
    other.load_state_dict(right.state_dict())
    differ = set()
    for part in PARTS:
        seen = [
            OBSERVERS[part](Question("Transformer", model, {"src": SRC, "tgt_in": TGT}, ("logits",)))
            for model in (right, other)
        ]
        if any(not torch.allclose(one, two) for one, two in zip(*(each.values() for each in seen), strict=True)):
            differ.add(part)
    return differ


def test_each_slip_shows_in_its_part():
    assert _parts_that_differ(mistakes.NoScale) == {"embedded tokens"}
    assert _parts_that_differ(mistakes.SourceMaskInverted) == {"source mask", "encoder blocks"}
    assert _parts_that_differ(mistakes.ReadsPadding) == {"encoder blocks"}
    assert _parts_that_differ(mistakes.SeesTheFuture) == {"decoder blocks"}
    assert _parts_that_differ(mistakes.LogProbabilities) == set()  # which forward alone tells
