"""A model of stacked blocks, part by part: what its first block gets, and what becomes of numbers put in between.

Each part is asked with right numbers from the part before it, so that one slip does not spoil what follows. A block's
`forward` is wrapped, which catches every way of calling it.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import torch
from torch import Tensor, nn

from course_lib.checks.finding import Finding
from course_lib.checks.student_call import call, plain

Change = Callable[[Tensor], Tensor]


def numbers_like(tensor: Tensor) -> Tensor:
    """Numbers of the size of activations, the same for every sequence, so that each may go through on its own."""
    n, width = tensor.shape[-2:]
    return torch.cos(1.7 * torch.arange(n * width, dtype=tensor.dtype)).reshape(n, width).expand(tensor.shape).clone()


def first_input(name: str, model: nn.Module, stack: str, run: Callable[[], object]) -> Tensor:
    """What the first block of the stack gets while `run` runs."""
    got: list[Tensor] = []

    def note(x: Tensor) -> Tensor:
        got.append(x.detach().clone())
        return x

    with _before(name, model, stack, note):
        call(name, run, ())
    return torch.cat(got)  # in as many calls as there are sequences, or in one


def with_first_input(name: str, model: nn.Module, stack: str, run: Callable[[], object]) -> object:
    """What `run` returns when the first block of the stack gets other numbers."""
    with _before(name, model, stack, numbers_like):
        return plain(call(name, run, ()))


def with_last_output(name: str, model: nn.Module, stack: str, run: Callable[[], object]) -> object:
    """What `run` returns when the last block of the stack gives other numbers."""
    with _wrapped(name, model, stack, -1, after=numbers_like):
        return plain(call(name, run, ()))


def plain_tensor(value: object) -> Tensor:
    tensor = plain(value)
    if not isinstance(tensor, Tensor):
        raise Finding(f"is of type {type(tensor).__name__}", "a tensor")
    return tensor


@contextmanager
def _before(name: str, model: nn.Module, stack: str, change: Change) -> Iterator[None]:
    with _wrapped(name, model, stack, 0, before=change):
        yield


@contextmanager
def _wrapped(
    name: str, model: nn.Module, stack: str, place: int, before: Change | None = None, after: Change | None = None
) -> Iterator[None]:
    """The block at this place with another input or output; a Finding if it is never called."""
    blocks = list(getattr(model, stack).children())
    if not blocks:
        raise Finding(f"self.{stack} holds no blocks", where=name)
    block, calls = blocks[place], []
    forward = block.forward

    def wrapper(*arguments: object, **options: object) -> object:
        calls.append(True)
        if before:
            if arguments:
                arguments = (before(plain_tensor(arguments[0])), *arguments[1:])
            else:
                first = next(iter(options))  # by whatever name the block knows its input
                options = options | {first: before(plain_tensor(options[first]))}
        returned = forward(*arguments, **options)
        return after(plain_tensor(returned)) if after else returned

    block.forward = wrapper
    try:
        yield
    finally:
        del block.forward
    if not calls:
        place_shown = place % len(blocks)
        raise Finding(f"never calls self.{stack}[{place_shown}]", "each block in turn", where=name)
