"""A student's process as the examiner sees it: a process id, a socket, and limits on memory and processes."""

import contextlib
import os
import shutil
import signal
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from autograder.errors import CourseError
from autograder.sandbox.protocol.channel import Channel

SECONDS_TO_START = 120  # importing torch and matplotlib from a cold disk can take a minute
MEGABYTE = 2**20
MEMORY = 3_000 * MEGABYTE  # of all processes of a submission, beyond what they share with the zygote
PROCESSES = 64  # more than any exercise starts, far fewer than a fork bomb


class SandboxEnded(CourseError):
    """The zygote is gone, and its kernels with it: no submission is to blame."""


@dataclass
class WarmKernel:
    """A forked student's process; in the sandbox, all processes that it started end with it."""

    process: psutil.Process
    channel: Channel
    folder: Path | None  # its home outside the sandbox, or the folder of a Jupyter kernel's sockets
    baseline: int  # bytes resident after the fork, shared with the zygote and not counted
    zygote_answers: Callable[[], bool]
    ended_because: str | None = field(default=None)

    def alive(self) -> bool:
        try:
            return bool(self.process.is_running() and self.process.status() != psutil.STATUS_ZOMBIE)
        except psutil.NoSuchProcess:  # it ended between the two calls
            return False

    def kill(self) -> None:
        for kill in (lambda: os.killpg(self.process.pid, signal.SIGKILL), self.process.kill):
            with contextlib.suppress(ProcessLookupError, PermissionError, psutil.NoSuchProcess):
                kill()
        self.channel.socket.close()
        if self.folder:
            shutil.rmtree(self.folder, ignore_errors=True)

    def wait(self) -> None:
        """Wait for the process to end, and kill it if it takes longer than SECONDS_TO_START."""
        with contextlib.suppress(psutil.TimeoutExpired):
            self.process.wait(SECONDS_TO_START)
        self.kill()

    def send_signal(self, number: int) -> None:
        if number == signal.SIGKILL:
            self.kill()
        else:
            self.process.send_signal(number)

    def enforce_limits(self) -> None:
        """Kill the kernel if its process tree exceeds a limit; `ended_because` says which."""
        try:
            tree = [self.process, *self.process.children(recursive=True)]
        except psutil.NoSuchProcess:
            return
        memory = sum(max(0, _memory(member) - self.baseline) for member in tree)
        if len(tree) > PROCESSES:
            self.ended_because = f"it started more than {PROCESSES} processes"
        elif memory > MEMORY:
            self.ended_because = f"it used more than {MEMORY // MEGABYTE:,} MB of memory"
        if self.ended_because:
            self.kill()


def _memory(process: psutil.Process) -> int:
    try:
        return int(process.memory_info().rss)
    except psutil.NoSuchProcess:  # it ended since it was listed
        return 0
