"""Watch what runs: PyTorch's operators, functions of libraries, recorded graphs, new processes and threads.

Operators are observed where PyTorch dispatches them, so it makes no difference how a call was written: by another
name, in a string, in another cell, as torch.ops.aten, or in a TorchScript graph. Modules such as nn.MultiheadAttention
are made of operators that an answer may use; they are found as Python functions, by file and name.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import CodeType, FrameType

from course_lib.checks.forbidden.doubts import Doubt
from course_lib.checks.forbidden.graphs import codes_of_graphs, noting_graphs
from course_lib.checks.forbidden.operators import recording_operators
from course_lib.checks.forbidden.places import is_recorded, library_name
from course_lib.checks.forbidden.started import STARTS, started_by_student

_SWITCHES = {"setprofile", "_disable_profiler_legacy", "_disable_profiler", "_enable_record_function"}


@dataclass
class Ran:
    """`started` says what else was started, `switched_off` whether the watch was; `doubts` what was not seen."""

    operators: list[str] = field(default_factory=list)
    codes: dict[int, CodeType] = field(default_factory=dict)
    started: str = ""
    switched_off: bool = False
    doubts: set[Doubt] = field(default_factory=set)

    def names(self) -> list[str]:
        """Of functions in libraries and of operators."""
        functions = (library_name(code) for code in self.codes.values())
        return [*filter(None, functions), *self.operators]


_open: list[Ran] = []


def is_watching() -> bool:
    return bool(_open)


@contextmanager
def watching(ran: Ran) -> Iterator[None]:
    """Fill in `ran` with what runs in this context and this thread."""

    def look(frame: FrameType, event: str, called: object) -> None:
        if event == "call":
            ran.codes[id(frame.f_code)] = frame.f_code
        elif event == "c_call":
            name = getattr(called, "__name__", "")
            if name in STARTS:
                ran.started = ran.started or started_by_student(name, frame)
            elif name in _SWITCHES and frame.f_code.co_filename != __file__:
                ran.switched_off = True

    with noting_graphs() as graphs, recording_operators(ran.operators) as recorder:
        previous = sys.getprofile()
        _open.append(ran)
        sys.setprofile(look)
        try:
            yield
        finally:
            ran.switched_off |= sys.getprofile() is not look
            sys.setprofile(previous)
            _open.clear()
    ran.switched_off |= recorder.interrupted
    ran.codes |= codes_of_graphs(graphs)
    if any(is_recorded(code) for code in ran.codes.values()):
        ran.doubts.add(Doubt.RECORDED)
