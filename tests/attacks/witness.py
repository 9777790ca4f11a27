# Looks for anything that an earlier submission has left, and names it.
import contextlib
import ctypes
import os
import sys
from pathlib import Path

import course_lib.checks

libc, left = ctypes.CDLL(None), []
for folder in (
    "/tmp",
    "/var/tmp",
    "/dev/shm",
    os.path.expanduser("~"),
    os.getcwd(),
    "/run/sockets",
    "/run",
):
    left += [str(path) for path in Path(folder).glob("left-by-an-*")]
for path in Path("/proc").glob("[0-9]*/cmdline"):
    with contextlib.suppress(OSError):
        left += [str(path)] if "left-by-an" + "-attack" in path.read_text() else []
left += ["a module"] if "left_by_an_attack" in sys.modules or hasattr(torch, "left_by_an_attack") else []
left += ["the checks"] if hasattr(course_lib.checks, "left_by_an_attack") else []
left += ["shared memory"] if libc.shmget(0x1EF7, 0, 0) >= 0 else []
left += ["a message queue"] if libc.msgget(0x1EF7, 0) >= 0 else []
left += ["a key"] if libc.syscall(249, b"user", b"left-by-an" + b"-attack", None, 0) >= 0 else []
print("left here:", left)
