"""Processes and threads that an answer starts: nothing is watched in them."""

from types import FrameType

from course_lib.checks.forbidden.places import is_import, is_library, is_multiprocessing, is_python

_PROCESS = {"fork", "forkpty", "fork_exec", "posix_spawn", "posix_spawnp", "system", "CreateProcess"}
_THREAD = {"start_new_thread", "start_joinable_thread"}
STARTS = _PROCESS | _THREAD


def started_by_student(name: str, frame: FrameType | None) -> str:
    """What student's code starts by calling this function; nothing where a library or an import does so for itself."""
    while frame is not None and not is_import(frame.f_code):
        code = frame.f_code
        if not is_library(code):
            return "another process" if name in _PROCESS else "another thread"
        if not (is_python(code) or is_multiprocessing(code)):
            return ""
        frame = frame.f_back
    return ""
