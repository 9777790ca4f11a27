"""Which tokens reach which outputs, for attention whose mask is known."""

import torch

from course_lib.checks.observers import OBSERVERS
from course_lib.checks.question import Question
from course_lib.nn.attention import scaled_dot_product_attention
from course_lib.nn.masks import create_look_ahead_mask

torch.manual_seed(0)
X, MEMORY = torch.randn(2, 5, 4), torch.randn(2, 5, 4)
PADDING = torch.tensor([[False, False, True, False, True], [False, True, False, False, False]])[:, None, None]


def _attend(x, memory, mask):
    return (
        scaled_dot_product_attention(x, memory, memory, mask)[0]
        if mask is None
        else (scaled_dot_product_attention(x, memory, memory, mask[:, 0] if mask.ndim == 4 else mask)[0])
    )


def _observe(name, answer, **arguments):
    return list(OBSERVERS[name](Question("Block", answer, arguments, ("output",))).values())


def test_padding_is_hidden_or_seen():
    for use, expected in ((lambda m: m, [False, True]), (lambda m: None, [True, True]), (lambda m: ~m, [True, False])):
        answer = lambda x, mask, use=use: x + _attend(x, x, use(mask))  # noqa: E731
        assert _observe("reach of masked tokens", answer, x=X, mask=PADDING) == expected


def _block(x, memory, self_mask=None, memory_mask=None):
    x = x + _attend(x, x, self_mask)
    return x + _attend(x, memory, memory_mask)


def _swapped(x, memory, self_mask=None, memory_mask=None):
    return _block(x, memory, memory_mask, self_mask)


def test_a_look_ahead_mask_hides_later_tokens_alone():
    arguments = {"x": X, "memory": MEMORY, "self_mask": create_look_ahead_mask(5)}
    assert _observe("reach of later tokens", _block, **arguments) == [False, True, True]
    assert _observe("reach of later tokens", _swapped, **arguments) == [True, True, False]


def test_a_mask_of_the_memory_hides_memory_alone():
    arguments = {"x": X, "memory": MEMORY, "self_mask": None, "memory_mask": PADDING}
    assert _observe("reach of masked memory", _block, **arguments) == [False, True, True]
    assert _observe("reach of masked memory", _swapped, **arguments) == [True, True, False]
