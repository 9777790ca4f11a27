"""Which tokens reach which outputs of a block, whatever its numbers are: a mask is judged by what it hides."""

import torch
from torch import Tensor

from course_lib.checks.finding import Finding
from course_lib.checks.observers.registry import observer
from course_lib.checks.question import Outputs, Question
from course_lib.checks.student_call import require_tensor

CHANGED = 1e-5  # more than rounding; a visible token changes much more


@observer("reach of masked tokens")
def reach_of_masked_tokens(question: Question) -> Outputs:
    """What the mask of self-attention hides; every other token must stay visible."""
    moved = _moved(question, "x")  # (B, n, n): whether output i of a sequence changes with token j
    hidden = question.argument("mask", Tensor)[:, 0]
    other = ~torch.eye(moved.shape[-1], dtype=torch.bool)
    return {
        "whether a masked token changes the output of another": bool((moved & hidden & other).any()),
        "whether every visible token changes every output": bool((moved | hidden | ~other).all()),
    }


@observer("reach of later tokens")
def reach_of_later_tokens(question: Question) -> Outputs:
    """What a look-ahead mask hides in a decoder block; the memory must stay visible."""
    moved = _moved(question, "x")
    later = torch.ones_like(moved).triu(1)
    return {
        "whether a later target token changes an earlier output": bool((moved & later).any()),
        "whether every earlier target token changes every later output": bool((moved | later).all()),
        "whether every memory token changes every output": bool(_moved(question, "memory").all()),
    }


@observer("reach of masked memory")
def reach_of_masked_memory(question: Question) -> Outputs:
    """What the mask of cross-attention hides; the target must stay visible."""
    moved = _moved(question, "memory")
    hidden = question.argument("memory_mask", Tensor)[:, 0]
    return {
        "whether a masked memory token changes an output": bool((moved & hidden).any()),
        "whether every visible memory token changes every output": bool((moved | hidden).all()),
        "whether every target token changes every output": bool(_moved(question, "x").all()),
    }


def _moved(question: Question, name: str) -> Tensor:
    """(B, n_out, n): whether an output of a sequence changes when one of its tokens in the argument does.

    All the changes are asked for in one call, as so many batches beside each other.
    """
    tokens = question.argument(name, Tensor)
    batch, n, width = tokens.shape
    change = torch.eye(n + 2, n)[..., None] * torch.cos(torch.arange(width))  # (n + 2, n, width), two of zeros
    many = tokens[:, None] + change
    arguments = {key: _beside(value, batch, n + 2) for key, value in question.arguments.items()}
    arguments[name] = many.flatten(0, 1)
    outputs = _output(question.with_arguments(**arguments)).unflatten(0, (batch, n + 2))
    require_repeatable(question, outputs[:, n], outputs[:, n + 1])
    return ~((outputs[:, :n] - outputs[:, n:-1]).abs().amax(-1) <= CHANGED).transpose(1, 2)


def require_repeatable(question: Question, one: Tensor, other: Tensor) -> None:
    """Raise a Finding if equal sequences have different outputs: of what is random nothing can be said but that."""
    if not bool(((one - other).abs() <= CHANGED).all()):
        what = "differs for two equal sequences of a batch"
        raise Finding(what, detail="does something random stay on, such as dropout?", where=question.outputs[0])


def _beside(value: object, batch: int, copies: int) -> object:
    """So many copies of each sequence; what is the same for all sequences stays as it is."""
    repeated = isinstance(value, Tensor) and value.shape[0] == batch and batch > 1
    return value.repeat_interleave(copies, 0) if repeated and isinstance(value, Tensor) else value


def _output(question: Question) -> Tensor:
    name = question.outputs[0]
    output = require_tensor(name, question.ask(*question.copies().values())[name]).detach()
    expected = question.argument("x", Tensor).shape
    if output.shape != expected:
        raise Finding(f"has shape {tuple(output.shape)}", f"{tuple(expected)}", where=name)
    return output
