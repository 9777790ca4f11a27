"""Record the operators that PyTorch dispatches: by its profiler, which code in Python does not pass.

An operator made of others, such as aten::scaled_dot_product_attention, is recorded with its parts. A dispatch mode
would see the parts alone, and whatever runs can take it off the stack.
"""

import sys
from collections.abc import Callable

import torch
from torch._C import _autograd as native
from torch._C._profiler import ProfilerActivity, ProfilerConfig, ProfilerState, _ExperimentalConfig

from course_lib.grading_mode import being_graded


def _config(state: ProfilerState, more: _ExperimentalConfig) -> ProfilerConfig:
    return ProfilerConfig(state, False, False, False, False, False, more)


_OWN = _config(ProfilerState.CPU, _ExperimentalConfig())
_MARK = torch.zeros(())
_MARKED = "aten::is_same_size"  # dispatched first: a profiler that was restarted in between did not see it


class OperatorRecorder:
    """What is dispatched between `start` and `stop`; a profiler of the student's own comes first."""

    def start(self) -> None:
        self._names: Callable[[], list[str]] | None = None
        self.blocked = native._profiler_enabled() or not hasattr(native, "_enable_profiler_legacy")  # may be removed
        if not self.blocked:
            several = being_graded() and len(sys._current_frames()) > 1
            self._names = _record_all_threads() if several else _record_own_thread()
            torch.is_same_size(_MARK, _MARK)

    def stop(self) -> list[str] | None:
        """The names in order, each once; None if the recording was interrupted."""
        if self._names is None:
            return []
        try:
            recorded = dict.fromkeys(self._names())
        except RuntimeError:  # it has been ended
            return None
        return [*recorded] if _MARKED in recorded else None


def _record_own_thread() -> Callable[[], list[str]]:
    """Start; returns what ends it. This takes microseconds, the other milliseconds."""
    native._enable_profiler_legacy(_OWN)
    return lambda: [event.name() for thread in native._disable_profiler_legacy() for event in thread]


def _record_all_threads() -> Callable[[], list[str]]:
    kinds = {ProfilerActivity.CPU}
    config = _config(ProfilerState.KINETO, _ExperimentalConfig(profile_all_threads=True))
    native._prepare_profiler(config, kinds)
    native._enable_profiler(config, kinds)
    return lambda: [event.name() for event in native._disable_profiler().events()]
