"""Functions and modules of an exam that are lent to a student's code, which may call them while it is called."""

import resource
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import torch
from torch import Tensor, nn

MOST_NUMBERS = 1_000_000  # in the arguments of one call
MEMORY = 2 * 2**30


def call_lent(lent: list[Callable], call: dict) -> object:
    """What a lent function returns for the arguments that the student's code gives it."""
    arguments = [*call["arguments"], *call["options"].values()]
    if sum(value.numel() for value in arguments if isinstance(value, Tensor)) > MOST_NUMBERS:
        raise ValueError(f"call the implementation with at most {MOST_NUMBERS:,} numbers")
    function = _lent_function(lent, call)
    with _bounded_memory(), torch.set_grad_enabled(call["gradients"] is True):
        return function(*call["arguments"], **call["options"])


def set_modes(lent: list[Callable], modes: object) -> None:
    """Lent modules are left in the mode in which the student's code left them."""
    for number, target in enumerate(lent):
        if isinstance(target, nn.Module) and isinstance(modes, dict):
            target.train(modes.get(number) is True)


def _lent_function(lent: list[Callable], call: dict) -> Callable:
    """What the student's code asks for, if it was lent."""
    target = lent[call["number"]]
    if not isinstance(target, nn.Module):
        return target
    target.train(call["training"] is True)
    if call["method"] == "forward":
        return target
    return {name: getattr(target, name) for name in target.lent_methods}[call["method"]]


@contextmanager
def _bounded_memory() -> Iterator[None]:
    """A student's choice of sizes must not use up the examiner's memory."""
    if sys.platform != "linux":
        yield
        return
    with open("/proc/self/status") as status:
        used = next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmData"))
    before = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (used + MEMORY, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, before)
