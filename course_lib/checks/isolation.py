"""Run a student's code so that its effects end with the call: printing, torch's global settings, interrupts."""

import contextlib
import io
import signal
import sys
import threading
from collections.abc import Iterator
from typing import TextIO

import torch

MOST_OUTPUT = 10_000  # characters that one call may print: a print in a training loop would flood the notebook


@contextlib.contextmanager
def isolated() -> Iterator[list[int]]:
    """Truncate what is printed and restore torch's settings; yields a list that fills with the interrupts from outside.

    stderr is dropped, warnings too: nbgrader counts output there as an error.
    """
    stdout, stderr = _Bounded(sys.stdout), io.StringIO()
    with (
        _torch_settings_restored(),
        _interrupts() as arrived,
        contextlib.redirect_stdout(stdout),
        contextlib.redirect_stderr(stderr),
    ):
        yield arrived


class _Bounded(io.TextIOBase):
    """A text stream that passes on at most MOST_OUTPUT characters."""

    def __init__(self, target: TextIO | io.TextIOBase):
        self._target, self._left = target, MOST_OUTPUT

    def write(self, text: str) -> int:
        if self._left > 0:
            self._target.write(text[: self._left])
            if len(text) > self._left:
                self._target.write(f"\n… (more than {MOST_OUTPUT:,} characters: the rest is left out)\n")
        self._left -= len(text)
        return len(text)


@contextlib.contextmanager
def _torch_settings_restored() -> Iterator[None]:
    dtype, device, grad = torch.get_default_dtype(), torch.get_default_device(), torch.is_grad_enabled()
    threads, deterministic = torch.get_num_threads(), torch.are_deterministic_algorithms_enabled()
    random_state = torch.get_rng_state()
    try:
        yield
    finally:
        torch.set_default_dtype(dtype)
        if torch.get_default_device() != device:
            torch.set_default_device(device)
        torch.set_grad_enabled(grad)
        if torch.get_num_threads() != threads:
            torch.set_num_threads(threads)
        if torch.are_deterministic_algorithms_enabled() != deterministic:  # the setter imports for seconds
            torch.use_deterministic_algorithms(deterministic)
        torch.set_rng_state(random_state)


@contextlib.contextmanager
def _interrupts() -> Iterator[list[int]]:
    """Record SIGINT, such as a time limit sends, to tell it from a KeyboardInterrupt that the code raises itself."""
    arrived: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield arrived
        return

    def handler(number: int, frame: object) -> None:
        arrived.append(number)
        raise KeyboardInterrupt

    previous = signal.signal(signal.SIGINT, handler)
    try:
        yield arrived
    finally:
        signal.signal(signal.SIGINT, previous)
