"""Attention over one token at a time, with a cache of keys and values."""

from typing import Any

import torch
from torch import Tensor

from course_lib.checks.finding import Finding
from course_lib.checks.observers.registry import observer
from course_lib.checks.question import Outputs, Question
from course_lib.checks.student_call import require_tensor

HEADS = 2


@observer("cached steps", in_student_process=True)
def cached_steps(question: Question) -> Outputs:
    """The output for each token, computed with the cache of the step before, and the cache after the last token.

    A second sequence goes through the same attention, which must have kept nothing of the first.
    """
    attention = _attention(question.argument("attention", Tensor))
    outputs, (keys, values) = _steps(question, attention)
    other = question.argument("x", Tensor).flip(1)
    second, _ = _steps(question.with_arguments(x=other), attention)
    return {
        "the output, step by step": outputs,
        "the kept keys": keys,
        "the kept values": values,
        "the output for a second sequence": second,
    }


@observer("tokens projected", in_student_process=True)
def tokens_projected(question: Question) -> Outputs:
    """How many tokens are turned into keys, step by step."""
    attention = _attention(question.argument("attention", Tensor))
    counts: list[str] = []
    attention.wk.register_forward_pre_hook(lambda _, inputs: counts.append(str(inputs[0].shape[1])))
    _steps(question, attention)
    return {"the numbers of tokens made into keys, step by step": ", ".join(counts)}


def _attention(weights: Tensor) -> Any:
    """The course's attention; `weights` are those of its four layers below each other, (4 d, d)."""
    from course_lib.nn.multihead import MultiHeadAttention  # not in the library of the units before it

    attention = MultiHeadAttention(weights.shape[1], HEADS)
    layers = (attention.wq, attention.wk, attention.wv, attention.dense)
    with torch.no_grad():
        for layer, weight in zip(layers, weights.chunk(4), strict=True):
            layer.weight.copy_(weight)
            layer.bias.copy_(weight[0] / 2)
    return attention


def _steps(question: Question, attention: Any) -> tuple[Tensor, list[Tensor]]:
    """The outputs, and the keys and values kept at the end."""
    steps: list[Tensor] = []
    cache: list[Tensor] = []
    kept: object = None
    for token in question.argument("x", Tensor).split(1, dim=1):
        with torch.no_grad():
            output, kept = question.ask(attention, token.clone(), kept).values()
        if not isinstance(kept, tuple | list) or len(kept) != 2:
            raise Finding(f"kept should be two tensors, (keys, values), but it is of type {type(kept).__name__}")
        steps.append(require_tensor("output", output))
        cache = [require_tensor("kept", part) for part in kept]
        kept = tuple(cache)
        if steps[-1].shape != token.shape:
            raise Finding(f"output has shape {tuple(steps[-1].shape)}", f"{tuple(token.shape)}, that of x")
    return torch.cat(steps, 1), cache
