"""Which lines of a traceback a student wrote."""

import linecache
import sysconfig
import traceback
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from types import CodeType, TracebackType

import torch

import course_lib

LONGEST_LINE = 300
_COURSE = Path(course_lib.__file__).parent
_PATHS = sysconfig.get_paths()
_PYTHON = (*(_PATHS[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")), str(Path(torch.__file__).parent))
_LIBRARIES = tuple(f"{Path(folder)}{sep}" for folder in (*_PYTHON, str(_COURSE)) for sep in "/\\")
_GRADER = tuple(f"{_COURSE.with_name(name)}{sep}" for name in ("autograder", "sandbox") for sep in "/\\")


@dataclass(frozen=True)
class StudentFrame:
    """`line` is the source of what was being executed, `function` its path within the cell: Transformer.encode."""

    function: str
    line: str
    in_grader: bool

    @property
    def answer(self) -> str:
        """The function or class on the top level of the cell."""
        return self.function.split(".")[0]


def student_frames(error: BaseException) -> list[StudentFrame]:
    """From the outermost to the innermost, without those of libraries, of course_lib and of the grader."""
    return [frame for frame in _written_frames(error.__traceback__) if not frame.in_grader]


def stub_frames(error: NotImplementedError) -> list[StudentFrame]:
    """The frames that lead to a stub's own `raise NotImplementedError`; none if a library raised it."""
    frames = _written_frames(error.__traceback__)
    innermost = _innermost(error.__traceback__)
    if not frames or innermost is None or _in_library(innermost):
        return []
    line = frames[-1].line
    return frames if "raise NotImplementedError" in line or not line else []


def _written_frames(trace: TracebackType | None) -> list[StudentFrame]:
    frames = []
    while trace is not None:
        code = trace.tb_frame.f_code
        if not _in_library(code):
            function = code.co_qualname.rpartition("<locals>.")[2]
            line = _source(code, trace.tb_lasti, trace.tb_lineno)
            frames.append(StudentFrame(function, line, code.co_filename.startswith(_GRADER)))
        trace = trace.tb_next
    return frames


def _innermost(trace: TracebackType | None) -> CodeType | None:
    frames = [frame for frame, _ in traceback.walk_tb(trace)]
    return frames[-1].f_code if frames else None


def _in_library(code: CodeType) -> bool:
    return code.co_filename.startswith(_LIBRARIES) or code.co_filename.startswith("<frozen ")


def _source(code: CodeType, instruction: int, first: int) -> str:
    """The lines of what was being evaluated, joined: a call may be spread over several. Of a block only its head."""
    _, last, _, _ = next(islice(code.co_positions(), instruction // 2, None), (None, first, None, None))
    lines = []
    for number in range(first, max(first, last or 0) + 1):
        lines.append(linecache.getline(code.co_filename, number).strip())
        if lines[-1].endswith(":"):
            break
    return " ".join(filter(None, lines))[:LONGEST_LINE]
