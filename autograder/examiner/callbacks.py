"""Callbacks: functions and modules of an exam that a student's code may call while it is called."""

import ctypes
import resource
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import torch
from torch import Tensor, nn

MOST_NUMBERS = 1_000_000  # in the arguments of one call, whose time and memory are the examiner's own
MEMORY = 2 * 2**30  # bytes that one call may allocate: sizes that multiply within MOST_NUMBERS could take far more

Callback = Callable[..., object]


def run_callback(callbacks: Sequence[Callback], call: object) -> object:
    """The value of a callback for a call from the student's process; raises whatever is wrong with the call."""
    if not isinstance(call, dict):
        raise TypeError("a callback takes a dict")
    arguments = [*call["arguments"], *call["options"].values()]
    if sum(value.numel() for value in arguments if isinstance(value, Tensor)) > MOST_NUMBERS:
        raise ValueError(f"call the implementation with at most {MOST_NUMBERS:,} numbers")
    function = _called(callbacks[call["number"]], call["method"], call["training"] is True)
    with bounded_memory(), torch.set_grad_enabled(call["gradients"] is True):
        return function(*call["arguments"], **call["options"])


def set_modes(callbacks: Sequence[Callback], modes: object) -> None:
    """Put modules in the training mode in which the student's code left their proxies."""
    for number, callback in enumerate(callbacks):
        if isinstance(callback, nn.Module) and isinstance(modes, dict):
            callback.train(modes.get(number) is True)


def _called(callback: Callback, method: object, training: bool) -> Callback:
    """The callback, or the one of its `callback_methods` that is called; a KeyError if it has no such method."""
    if not isinstance(callback, nn.Module):
        return callback
    callback.train(training)
    methods = {name: getattr(callback, name) for name in getattr(callback, "callback_methods", ())}
    called: Callback = ({"forward": callback} | methods)[method]
    return called


@contextmanager
def bounded_memory() -> Iterator[None]:
    """Limit the examiner's allocations (RLIMIT_DATA): a student's code chooses the sizes."""
    if sys.platform != "linux":
        yield
        return
    with Path("/proc/self/status").open() as status:
        used = next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmData"))
    before = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (used + MEMORY, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, before)


@contextmanager
def bounded_time(seconds: float) -> Iterator[None]:
    """Raise a TimeoutError in this thread when the time is up: a student's code chooses how often a loop runs.

    Without a signal, which only a main thread can take: on a Dask cluster another one grades.
    """
    here, lock, over = ctypes.c_ulong(threading.get_ident()), threading.Lock(), False

    def interrupt() -> None:
        with lock:
            if not over:
                ctypes.pythonapi.PyThreadState_SetAsyncExc(here, ctypes.py_object(TimeoutError))

    timer = threading.Timer(max(0.0, seconds), interrupt)
    timer.start()
    try:
        yield
    finally:
        with lock:
            over = True
        timer.cancel()
        ctypes.pythonapi.PyThreadState_SetAsyncExc(here, None)  # one that is set and not raised yet
