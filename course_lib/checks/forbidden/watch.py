"""Watch what runs: PyTorch's operators, functions of libraries, recorded graphs, new processes and threads.

Operators are observed where PyTorch dispatches them, so it makes no difference how a call was written: by another
name, in a string, in another cell, as torch.ops.aten, or in a TorchScript graph. Modules such as nn.MultiheadAttention
are made of operators that an answer may use; they are found as Python functions, by file and name.
"""

import sys
from types import CodeType, FrameType

from course_lib.checks.forbidden.doubts import Doubt
from course_lib.checks.forbidden.graphs import GraphRecorder, codes_of_graphs
from course_lib.checks.forbidden.operators import OperatorRecorder
from course_lib.checks.forbidden.places import is_recorded, library_name
from course_lib.checks.forbidden.started import STARTS, started_by_student

_SWITCHES = {"setprofile", "_disable_profiler_legacy", "_disable_profiler", "_enable_record_function"}


class Watch:
    """Fills in, between its beginning and its end, what runs in this thread.

    `started` says what else was started, `switched_off` whether the watch was; `doubts` what was not seen.
    """

    def __init__(self) -> None:
        self.names: list[str] = []  # of functions in libraries, and of operators
        self.started = ""
        self.switched_off = False
        self.doubts: set[Doubt] = set()
        self._codes: dict[int, CodeType] = {}
        self._operators, self._graphs = OperatorRecorder(), GraphRecorder()

    def __enter__(self) -> "Watch":
        _open.append(self)
        self._graphs.start()
        self._operators.start()
        self._previous, self._look = sys.getprofile(), self._see
        sys.setprofile(self._look)
        return self

    def __exit__(self, *raised: object) -> None:
        self.switched_off |= sys.getprofile() is not self._look
        sys.setprofile(self._previous)
        operators = self._operators.stop()
        self.switched_off |= operators is None
        if self._operators.blocked:
            self.doubts.add(Doubt.PROFILER)
        self._codes |= codes_of_graphs(self._graphs.stop())
        functions = dict.fromkeys(map(library_name, self._codes.values()))
        self.names = [*filter(None, functions), *(operators or ())]
        if any(is_recorded(code) for code in self._codes.values()):
            self.doubts.add(Doubt.RECORDED)
        _open.clear()

    def _see(self, frame: FrameType, event: str, called: object) -> None:
        if event == "call":
            self._codes[id(frame.f_code)] = frame.f_code
        elif event == "c_call":
            name = getattr(called, "__name__", "")
            if name in STARTS:
                self.started = self.started or started_by_student(name, frame)
            elif name in _SWITCHES and frame.f_code.co_filename != __file__:
                self.switched_off = True


_open: list[Watch] = []


def is_watching() -> bool:
    return bool(_open)
