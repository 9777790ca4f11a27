"""Attention over one token at a time, with a cache of keys and values."""

import torch
from torch import Tensor

from course_lib.checks.finding import Finding
from course_lib.checks.observers.fake_models import OneHead
from course_lib.checks.observers.registry import observer
from course_lib.checks.question import Outputs, Question
from course_lib.checks.student_call import require_tensor


@observer("cached steps")
def cached_steps(question: Question) -> Outputs:
    """The output for each token, computed with the cache of the step before, and the cache after the last token."""
    _, steps, cache = _steps(question)
    return {"the output, step by step": torch.cat(steps, 1), "the kept keys": cache[0], "the kept values": cache[1]}


@observer("tokens projected")
def tokens_projected(question: Question) -> Outputs:
    """How many tokens are turned into keys and values, step by step."""
    attention, _, _ = _steps(question)
    return {"the numbers of tokens made into keys, step by step": ", ".join(map(str, attention.notes))}


def _steps(question: Question) -> tuple[OneHead, list[Tensor], list[Tensor]]:
    attention = OneHead(question.argument("attention", Tensor))
    steps: list[Tensor] = []
    cache: list[Tensor] = []
    kept: object = None
    for token in question.argument("x", Tensor).split(1, dim=1):
        output, kept = question.ask(attention, token.clone(), kept).values()
        if not isinstance(kept, tuple | list) or len(kept) != 2:
            raise Finding(f"kept should be two tensors, (keys, values), but it is of type {type(kept).__name__}")
        steps.append(require_tensor("output", output))
        cache = [require_tensor("kept", part) for part in kept]
        kept = tuple(cache)
        if steps[-1].shape != token.shape:
            raise Finding(f"output has shape {tuple(steps[-1].shape)}", f"{tuple(token.shape)}, that of x")
    return attention, steps, cache
