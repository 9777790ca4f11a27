"""Record the operators that PyTorch dispatches in this thread: by its profiler, which code in Python does not pass.

An operator made of others, such as aten::scaled_dot_product_attention, is recorded with its parts. A dispatch mode
would see the parts alone, and whatever runs can take it off the stack.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import torch
from torch._C import _autograd as native
from torch._C._profiler import ProfilerConfig, ProfilerState, _ExperimentalConfig

from course_lib.grading_mode import being_graded

_CONFIG = ProfilerConfig(ProfilerState.CPU, False, False, False, False, False, _ExperimentalConfig())
_MARK = torch.zeros(())
_MARKED = "aten::is_same_size"  # dispatched first: a profiler that was restarted in between did not see it


@dataclass
class Recorder:
    interrupted: bool = False


@contextmanager
def recording_operators(operators: list[str]) -> Iterator[Recorder]:
    """Append the names of what is dispatched in this context, in order; a profiler of the student's own comes first."""
    recorder = Recorder()
    if native._profiler_enabled() and being_graded():
        _stop_others()
    if native._profiler_enabled() or not hasattr(native, "_enable_profiler_legacy"):  # that a newer PyTorch may lack
        yield recorder
        return
    native._enable_profiler_legacy(_CONFIG)
    torch.is_same_size(_MARK, _MARK)
    try:
        yield recorder
    finally:
        threads = native._disable_profiler_legacy() if native._profiler_enabled() else []
        names = [event.name() for thread in threads for event in thread]
        recorder.interrupted = _MARKED not in names[:3]
        operators += dict.fromkeys(names)


def _stop_others() -> None:
    """End what a cell left running: PyTorch has one profiler at a time."""
    for stop in (native._disable_profiler_legacy, native._disable_profiler):
        try:
            stop()
        except RuntimeError:
            continue
