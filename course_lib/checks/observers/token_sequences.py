"""What models of token ids see: which tokens change which outputs, whatever the numbers are."""

import torch
from torch import Tensor

from course_lib.checks.finding import Finding
from course_lib.checks.observers.registry import observer
from course_lib.checks.observers.token_reach import CHANGED, require_repeatable
from course_lib.checks.question import Outputs, Question
from course_lib.checks.student_call import require_tensor

MORE = 2  # columns of padding


@observer("reach of tokens")
def reach_of_tokens(question: Question) -> Outputs:
    """Whether tokens before and after a position change its output."""
    moved = _moved(question)
    later = torch.ones_like(moved).triu(1)
    return {
        "whether a later token changes an earlier output": bool((moved & later).any()),
        "whether every later token changes every earlier output": bool((moved | ~later).all()),
        "whether every other token changes every output": bool((moved | later).all()),
    }


@observer("reach under a mask")
def reach_under_a_mask(question: Question) -> Outputs:
    """What the mask hides, (B, 1, 1, n); every other token must stay visible."""
    moved, hidden = _moved(question), question.argument("mask", Tensor)[:, 0]
    other = ~torch.eye(moved.shape[-1], dtype=torch.bool)
    return {
        "whether a masked token changes the output of another": bool((moved & hidden & other).any()),
        "whether every visible token changes every output": bool((moved | hidden | ~other).all()),
    }


@observer("more padding")
def more_padding(question: Question) -> Outputs:
    """Whether padding changes the outputs of real tokens, and how many real ones each sees.

    The last token of the last row is padding.
    """
    tokens = question.argument("tokens", Tensor)
    padding = tokens[-1, -1].expand(len(tokens), MORE)
    longer = _output(question.with_arguments(tokens=torch.cat([tokens, padding], 1)))[:, : tokens.shape[1]]
    outputs, real = _output(question), ~_padding(tokens)
    change = (longer - outputs).abs().amax(-1)
    alone = torch.cat([_output(question.with_arguments(tokens=row[None])) for row in tokens])
    pairs = real[:, :, None] & real[:, None, :] & ~torch.eye(tokens.shape[1], dtype=torch.bool)
    seen = _moved(question)[pairs]
    return {
        "whether more padding changes the output of a real token": bool((change > CHANGED)[real].any()),
        "whether a sequence in a batch has the outputs it has alone": not bool(
            ((alone - outputs).abs().amax(-1) > CHANGED)[real].any()
        ),
        "how many other real tokens change the output of one": "all"
        if seen.all()
        else "some"
        if seen.any()
        else "none",
    }


def _padding(tokens: Tensor) -> Tensor:
    """The token that ends a row at least twice."""
    alike = (tokens == tokens[:, -1:]).flip(1).long().cumprod(1).flip(1).bool()
    return alike & (alike.sum(1, keepdim=True) > 1)


def _moved(question: Question) -> Tensor:
    """(B, n, n): whether output i of a sequence changes when token j is another; asked for in one call."""
    tokens = question.argument("tokens", Tensor)
    batch, n = tokens.shape
    change = torch.eye(n + 2, n, dtype=tokens.dtype)  # none in the last two rows
    many = ((tokens[:, None] + change) % (tokens.max() + 1)).flatten(0, 1)
    arguments: dict[str, object] = {"tokens": many}
    if isinstance(mask := question.arguments.get("mask"), Tensor):
        arguments["mask"] = mask.repeat_interleave(n + 2, 0)
    outputs = _output(question.with_arguments(**arguments)).unflatten(0, (batch, n + 2))
    require_repeatable(question, outputs[:, n], outputs[:, n + 1])
    return ~((outputs[:, :n] - outputs[:, n : n + 1]).abs().amax(-1) <= CHANGED).transpose(1, 2)


def _output(question: Question) -> Tensor:
    """(B, n, width)."""
    name = question.outputs[0]
    output = require_tensor(name, question.ask(*question.copies().values())[name]).detach()
    expected = tuple(question.argument("tokens", Tensor).shape)
    if output.ndim != 3 or tuple(output.shape[:2]) != expected:
        raise Finding(f"has shape {tuple(output.shape)}", f"{(*expected, '…')}".replace("'", ""), where=name)
    return output
