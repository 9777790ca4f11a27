"""Record the operators that PyTorch dispatches: by its profiler, which code in Python does not pass.

An operator made of others, such as aten::scaled_dot_product_attention, is recorded with its parts. A dispatch mode
would see the parts alone, and whatever runs can take it off the stack.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import torch
from torch._C import _autograd as native
from torch._C._profiler import ProfilerActivity, ProfilerConfig, ProfilerState, _ExperimentalConfig

from course_lib.grading_mode import being_graded

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
    names = _record_all_threads() if being_graded() and len(sys._current_frames()) > 1 else _record_own_thread()
    torch.is_same_size(_MARK, _MARK)
    try:
        yield recorder
    finally:
        try:
            recorded = names()
        except RuntimeError:  # it has been ended
            recorded = []
        recorder.interrupted = _MARKED not in recorded
        operators += dict.fromkeys(recorded)


def _record_own_thread() -> Callable[[], list[str]]:
    """Start; returns what ends it. This takes microseconds, the other milliseconds."""
    native._enable_profiler_legacy(_config(ProfilerState.CPU, _ExperimentalConfig()))
    return lambda: [event.name() for thread in native._disable_profiler_legacy() for event in thread]


def _record_all_threads() -> Callable[[], list[str]]:
    kinds = {ProfilerActivity.CPU}
    config = _config(ProfilerState.KINETO, _ExperimentalConfig(profile_all_threads=True))
    native._prepare_profiler(config, kinds)
    native._enable_profiler(config, kinds)
    return lambda: [event.name() for event in native._disable_profiler().events()]


def _config(state: ProfilerState, more: _ExperimentalConfig) -> ProfilerConfig:
    return ProfilerConfig(state, False, False, False, False, False, more)


def _stop_others() -> None:
    """End what a cell left running: PyTorch has one profiler at a time."""
    for stop in (native._disable_profiler_legacy, native._disable_profiler):
        try:
            stop()
        except RuntimeError:
            continue
