"""A warm kernel as its examiner sees it: a process, the line to it, and the limits to which it is held."""

import contextlib
import os
import shutil
import signal
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from autograder.sandbox.protocol.channel import Channel

SECONDS_TO_START = 120
MEGABYTE = 2**20
MEMORY = 3_000 * MEGABYTE  # all processes of a submission together
PROCESSES = 64


@dataclass
class WarmKernel:
    """A student's process, and the line to it; in the sandbox everything that it has started ends with it."""

    process: psutil.Process
    channel: Channel
    folder: Path | None  # its home outside the sandbox, or where a kernel of Jupyter has its sockets
    baseline: int
    ended_because: str | None = field(default=None)

    def alive(self) -> bool:
        try:
            return self.process.is_running() and self.process.status() != psutil.STATUS_ZOMBIE
        except psutil.NoSuchProcess:  # it has just ended
            return False

    def kill(self) -> None:
        for kill in (lambda: os.killpg(self.process.pid, signal.SIGKILL), self.process.kill):
            with contextlib.suppress(ProcessLookupError, PermissionError, psutil.NoSuchProcess):
                kill()
        self.channel.socket.close()
        if self.folder:
            shutil.rmtree(self.folder, ignore_errors=True)

    def wait(self) -> None:
        """Until it has ended, of itself or after a while."""
        with contextlib.suppress(psutil.TimeoutExpired):
            self.process.wait(SECONDS_TO_START)
        self.kill()

    def send_signal(self, number: int) -> None:
        if number == signal.SIGKILL:
            self.kill()
        else:
            self.process.send_signal(number)

    def hold_to_limits(self) -> None:
        """End the kernel if all its processes together use too much, and remember why."""
        try:
            family = [self.process, *self.process.children(recursive=True)]
        except psutil.NoSuchProcess:
            return
        memory = sum(max(0, _memory(member) - self.baseline) for member in family)
        if len(family) > PROCESSES:
            self.ended_because = f"it started more than {PROCESSES} processes"
        elif memory > MEMORY:
            self.ended_because = f"it used more than {MEMORY // MEGABYTE:,} MB of memory"
        if self.ended_because:
            self.kill()


def _memory(process: psutil.Process) -> int:
    try:
        return process.memory_info().rss
    except psutil.NoSuchProcess:  # it has just ended
        return 0
