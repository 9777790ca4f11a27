"""One zygote for each unit: a process in the sandbox that has imported everything and forks kernels in milliseconds."""

import atexit
import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

import psutil

from autograder.course.code_digest import STUDENTS_SIDE
from autograder.course.student_library import student_edition
from autograder.course.units import PACKAGE, Unit
from autograder.errors import CourseError
from autograder.sandbox.command import environment, require_sandbox, sandbox_command, sandboxed_python
from autograder.sandbox.kernel_process import MEGABYTE, MEMORY, SECONDS_TO_START, SandboxEnded, WarmKernel
from autograder.sandbox.own_folder import own_folder
from autograder.sandbox.protocol.channel import READY, START, Channel, MalformedMessage

WRITABLE = {"/tmp": 256 * MEGABYTE, "/home/student": 64 * MEGABYTE, "/dev/shm": 64 * MEGABYTE}  # tmpfs: it is memory
LIMITS = {  # setrlimit(2), for each process of a kernel
    "DATA": MEMORY,  # enforce_limits counts all processes, but looks only now and then
    "FSIZE": 64 * MEGABYTE,  # no more than the smallest tmpfs holds
    "NOFILE": 512,  # notebooks open a handful
    "CORE": 0,  # a crash leaves no dump
    "NPROC": 512,  # with threads: stops a fork bomb between two looks of enforce_limits
}

_running: dict[tuple[str, str], "Zygote"] = {}


class Zygote:
    """A process that has imported everything; `start_kernel` has it fork."""

    def __init__(self, unit: Unit, sandbox: str):
        if sandbox == "bwrap":
            require_sandbox()
        self._sandboxed = sandbox == "bwrap"
        self._root, self._in_use = own_folder()
        self._sockets = self._root / "s"
        self._sockets.mkdir()
        edition = self._root / "edition"
        write_edition(unit, edition)
        limits = json.dumps({"limits": LIMITS, "writable": WRITABLE})
        if self._sandboxed:
            command = [sandboxed_python(), "-m", "sandbox.inside.zygote", "--sandboxed", limits]
            command, env = sandbox_command(edition, self._sockets, command), {"PATH": os.environ["PATH"]}
        else:
            command = [sys.executable, "-m", "sandbox.inside.zygote", limits]
            env = environment(str(edition)) | {"HOME": str(self._root)}
        self._log = tempfile.TemporaryFile("w+")  # noqa: SIM115, closed with the zygote
        self._requests, zygotes_end = socket.socketpair()
        self._requests.settimeout(SECONDS_TO_START)
        self._process = subprocess.Popen(
            command,
            stdin=zygotes_end.fileno(),
            stdout=subprocess.DEVNULL,
            stderr=self._log,
            env=env,
            cwd="/" if self._sandboxed else self._root,
            start_new_session=True,
        )
        zygotes_end.close()
        self._owner = os.getpid()
        atexit.register(self.close)

    def is_own(self) -> bool:
        """Whether this process started it, and was not forked from the one that did."""
        return os.getpid() == self._owner

    def alive(self) -> bool:
        if self.is_own():
            return self._process.poll() is None
        return _is_running(self._process.pid)

    def new_folder(self) -> Path:
        folder = self._sockets / secrets.token_hex(6)
        folder.mkdir()
        return folder

    def start_kernel(self, folder: Path | None = None, connection: Mapping[str, object] | None = None) -> WarmKernel:
        """Fork a kernel; with a connection file's content an ipykernel, whose sockets are in the folder."""
        self.wait_until_warm()
        if not self._sandboxed:
            folder = folder or self.new_folder()  # its home
        own_end, kernels_end = socket.socketpair()
        own_end.settimeout(SECONDS_TO_START)
        channel = Channel(own_end)
        order: dict[str, object] = {"connection": connection}
        if folder:
            order |= {"name": folder.name, "home": str(folder)}
        try:
            process = psutil.Process(self._forked(channel, kernels_end, order))
            return WarmKernel(process, channel, folder, process.memory_info().rss, self.answers)
        except (OSError, EOFError, MalformedMessage, psutil.Error) as error:
            own_end.close()
            raise SandboxEnded(f"the sandbox has ended: {self._last_log_line()}") from error
        except CourseError:
            own_end.close()
            raise

    def _forked(self, channel: Channel, kernels_end: socket.socket, order: dict[str, object]) -> int:
        """The id of a new process, which has one end of the channel and has got its order."""
        with kernels_end:
            socket.send_fds(self._requests, [START], [kernels_end.fileno()])
        channel.send(START, 0, [json.dumps(order).encode()])
        kind, _, (reply, *_) = channel.receive()
        if kind != READY:
            raise CourseError(f"no kernel could be started in the sandbox: {reply.decode()}")
        return int(reply)

    def answers(self) -> bool:
        """Whether it still starts kernels; where it does not, a kernel that has ended may have been taken down."""
        try:
            self.start_kernel().kill()
        except CourseError:
            return False
        return True

    def wait_until_warm(self) -> None:
        """Peek (MSG_PEEK) at the zygote's READY byte, so that every forked process that shares this socket sees it."""
        try:
            warm = self._requests.recv(1, socket.MSG_PEEK)
        except TimeoutError:
            raise CourseError(
                f"the sandbox gave no answer within {SECONDS_TO_START} s: {self._last_log_line()}"
            ) from None
        if not warm:
            raise CourseError(f"the sandbox could not be started: {self._last_log_line()}")

    def close(self) -> None:
        """End the zygote and all its kernels; does nothing in a process that was forked from the owner."""
        if not self.is_own() or not self._root.exists():
            return
        if self.alive():
            self._process.kill()
        self._process.wait()
        self._requests.close()
        self._log.close()
        shutil.rmtree(self._root, ignore_errors=True)
        self._in_use.close()

    def _last_log_line(self) -> str:
        self._log.seek(0)
        lines = self._log.read().strip().splitlines()
        return lines[-1] if lines else "it gave no reason"


def zygote(unit: Unit, sandbox: str) -> Zygote:
    """This process's zygote of the unit, started if there is none; returns before it has imported everything.

    One that is shared with other processes is its owner's to replace: SandboxEnded if it is gone.
    """
    key = unit.id, sandbox
    if key in _running and not _running[key].alive():
        if not _running[key].is_own():
            raise SandboxEnded("the sandbox has ended")
        _running.pop(key).close()
    if key not in _running:
        _running[key] = Zygote(unit, sandbox)
    return _running[key]


def new_kernel(unit: Unit, sandbox: str) -> WarmKernel:
    """A kernel for a submission to the unit."""
    return zygote(unit, sandbox).start_kernel()


def use_zygote(unit: Unit, sandbox: str, shared: Zygote) -> None:
    """Take kernels of the unit from a zygote that was started before this process was forked."""
    _running[unit.id, sandbox] = shared


def _is_running(pid: int) -> bool:
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def write_edition(unit: Unit, folder: Path) -> None:
    """Write the packages of the sandbox: the student edition of course_lib, and `sandbox` with protocol and inside."""
    files = {path.as_posix(): text for path, text in student_edition(unit).items()}
    files["sandbox/__init__.py"] = ""
    for path in STUDENTS_SIDE:
        files[path.relative_to(PACKAGE).as_posix()] = path.read_text("utf-8")
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
