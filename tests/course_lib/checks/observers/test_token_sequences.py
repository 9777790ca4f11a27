"""What a model of token ids sees, for models whose sight is known."""

import pytest
import torch

from course_lib.checks import Finding
from course_lib.checks.observers import OBSERVERS
from course_lib.checks.question import Question

TOKENS = torch.tensor([[2, 5, 3, 4, 6], [3, 6, 2, 1, 1]])
EMBEDDING = torch.randn(9, 4, generator=torch.Generator().manual_seed(0))
PLACES = torch.randn(8, 4, generator=torch.Generator().manual_seed(1))


def _model(hidden):
    """Attention in which `hidden` makes the mask, (B, n, n) or broadcast to it, of tokens."""

    def model(tokens):
        x = EMBEDDING[tokens] + PLACES[: tokens.shape[1]]
        return x + (x @ x.mT / 4).masked_fill(hidden(tokens), -1e9).softmax(-1) @ x

    return model


def _nothing(tokens):
    return torch.zeros(tokens.shape[1], tokens.shape[1], dtype=torch.bool)


def _future(tokens):
    return torch.ones(tokens.shape[1], tokens.shape[1]).triu(1).bool()


def _padding(tokens):
    return (tokens == 1)[:, None, :]


def _observe(name, answer, **arguments):
    return list(OBSERVERS[name](Question("Model", answer, arguments, ("logits",))).values())


def test_who_sees_whom():
    assert _observe("reach of tokens", _model(_nothing), tokens=TOKENS) == [True, True, True]
    assert _observe("reach of tokens", _model(_future), tokens=TOKENS) == [False, False, True]


def test_padding_changes_real_tokens_or_not():
    assert _observe("more padding", _model(_padding), tokens=TOKENS) == [False, True, "all"]
    assert _observe("more padding", _model(_nothing), tokens=TOKENS) == [True, True, "all"]
    assert _observe("more padding", _model(lambda t: ~_padding(t)), tokens=TOKENS)[2] != "all"


def test_a_mask_that_is_given_hides_keys():
    mask = torch.tensor([[False, True, False, False, True], [True, False, False, False, False]])[:, None, None]
    seen = {"tokens": TOKENS, "mask": mask}
    assert _observe("reach under a mask", lambda t, m: _model(lambda _: m[:, 0])(t), **seen) == [False, True]
    assert _observe("reach under a mask", lambda t, m: _model(_nothing)(t), **seen) == [True, True]


def test_what_is_random_is_not_taken_for_sight():
    def noisy(tokens):
        return _model(_nothing)(tokens) + torch.randn(*tokens.shape, 4)

    for name in ("reach of tokens", "more padding"):
        with pytest.raises(Finding, match="differs for two equal sequences"):
            _observe(name, noisy, tokens=TOKENS)
