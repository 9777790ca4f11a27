"""Heads made by hand: queries, keys and values that are handed in, and the attention that they make."""

from dataclasses import replace

import torch
from torch import Tensor

from course_lib.checks.finding import Finding
from course_lib.checks.observers.gradients import gradients
from course_lib.checks.observers.registry import observer
from course_lib.checks.question import Outputs, Question
from course_lib.checks.student_call import named_outputs, require_tensor

TRIPLE = ("q", "k", "v")
OFFSETS = (-1, 0, 1)
SHARP = 1e-3  # a weight may be so far from 0 or 1


@observer("weights of the identity")
def weights_of_the_identity(question: Question) -> Outputs:
    return {"weights": _where_it_looks(question, _head(question), 0, extra_keys=0)}


@observer("weights of the shift")
def weights_of_the_shift(question: Question) -> Outputs:
    return {"weights": _where_it_looks(question, _head(question), -1, extra_keys=1)}


@observer("output of the head")
def output_of_the_head(question: Question) -> Outputs:
    q, k, v = _head(question)
    return {"the output": _attention("output", q, k, v)[0]}


@observer("weights of the convolution")
def weights_of_the_convolution(question: Question) -> Outputs:
    """For each of the three heads, the weights on the tokens."""
    heads = zip(OFFSETS, _heads(question), strict=True)
    return {f"weights of head {o + 1}": _where_it_looks(question, head, o, extra_keys=2) for o, head in heads}


@observer("outputs of the convolution")
def outputs_of_the_convolution(question: Question) -> Outputs:
    return {f"the output of head {o}": _attention(f"head {o}", *head)[0] for o, head in enumerate(_heads(question))}


@observer("gradients of the convolution", in_student_process=True)
def gradients_of_the_convolution(question: Question) -> Outputs:
    """Whether gradients of the sum of the heads reach x and the kernel."""

    def added(*arguments: object) -> Tensor:
        asked = replace(question, arguments=dict(zip(question.arguments, arguments, strict=True)))
        outputs = [_attention(f"head {o}", *head)[0] for o, head in enumerate(_heads(asked, arguments))]
        return torch.stack(outputs).sum(0)

    computed = gradients(replace(question, answer=added, outputs=("output",)))
    # their values depend on how sharp the weights are
    return {name: value for name, value in computed.items() if isinstance(value, bool)}


def _head(question: Question) -> tuple[Tensor, Tensor, Tensor]:
    return _triple("", question.ask(*question.copies().values()))


def _heads(question: Question, arguments: tuple[object, ...] | None = None) -> list[tuple[Tensor, Tensor, Tensor]]:
    returned = question.ask(*(question.copies().values() if arguments is None else arguments))
    return [_triple(f"{name}: ", named_outputs(name, head, TRIPLE)) for name, head in returned.items()]


def _triple(where: str, returned: Outputs) -> tuple[Tensor, Tensor, Tensor]:
    q, k, v = (require_tensor(f"{where}{name}", returned[name]) for name in TRIPLE)
    return q, k, v


def _attention(name: str, q: Tensor, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
    try:
        weights = (q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5).softmax(-1)
        return weights.to(v.dtype) @ v, weights
    except RuntimeError:
        shapes = ", ".join(f"{name} {tuple(part.shape)}" for name, part in zip(TRIPLE, (q, k, v), strict=True))
        raise Finding(f"{name}: attention over {shapes} fails", detail=_misfit(q, k, v)) from None


def _misfit(q: Tensor, k: Tensor, v: Tensor) -> str:
    if min(q.ndim, k.ndim, v.ndim) < 2:
        return "each needs two dimensions or more, rows and features"
    if q.shape[-1] != k.shape[-1]:
        return f"a query has {q.shape[-1]} features and a key {k.shape[-1]}, but their dot product needs as many"
    if k.shape[-2] != v.shape[-2]:
        return f"there are {k.shape[-2]} keys and {v.shape[-2]} values, but each key belongs to one value"
    return "their leading dimensions differ"


def _where_it_looks(question: Question, head: tuple[Tensor, Tensor, Tensor], offset: int, extra_keys: int) -> Tensor:
    """The weights on the tokens of x, exactly 1 and 0 where they are nearly; rows without such a token are left out.

    Keys for the empty places in front of the tokens and behind them may be there or not.
    """
    x = question.argument("x", Tensor)
    n = x.shape[-2]
    _, weights = _attention("weights", *head)
    extra = weights.shape[-1] - n
    if weights.shape[-2] != n or not 0 <= extra <= extra_keys:
        more = f" to {n + extra_keys}" if extra_keys else ""
        expected = f"{n} queries, one for each token, and {n}{more} keys"
        raise Finding(f"there are {weights.shape[-2]} queries and {weights.shape[-1]} keys", expected)
    asked = torch.diag_embed(torch.ones(n - abs(offset)), offset) if n > abs(offset) else torch.zeros(n, n)
    rows = asked.sum(-1, keepdim=True)
    fronts = {0: (0,), 1: (0, 1) if offset >= 0 else (1, 0), 2: (1,)}[extra]
    on_tokens = [weights[..., front : front + n].detach().to(x.dtype) * rows for front in fronts]
    best = min(on_tokens, key=lambda found: (found - asked).abs().max().item())
    best = asked.to(best) if (best - asked).abs().max() <= SHARP else best
    return best.expand(*x.shape[:-2], n, n).contiguous()
