"""Zygotes: for each unit a warm process in the sandbox, which forks a kernel in milliseconds."""

import atexit
import contextlib
import fcntl
import json
import os
import secrets
import select
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from autograder.course import ROOT, Unit
from autograder.errors import CourseError
from autograder.examiner.sandbox import environment, require_sandbox, sandbox_command, sandboxed_python
from autograder.student_edition import student_edition

SECONDS_TO_START = 120
MEGABYTE = 2**20
MEMORY = 3_000 * MEGABYTE  # all processes of a submission together
PROCESSES = 64
WRITABLE = {"/tmp": 256 * MEGABYTE, "/home/student": 64 * MEGABYTE, "/dev/shm": 64 * MEGABYTE}
LIMITS = {"DATA": MEMORY, "FSIZE": 64 * MEGABYTE, "NOFILE": 512, "CORE": 0, "NPROC": 512}

_running: dict[tuple[str, str], "Zygote"] = {}


@dataclass
class WarmKernel:
    """The first process of a kernel: when it ends, so does everything that the kernel has started."""

    process: psutil.Process
    folder: Path
    baseline: int
    ended_because: str | None = field(default=None)

    def alive(self) -> bool:
        return self.process.is_running() and self.process.status() != psutil.STATUS_ZOMBIE

    def kill(self) -> None:
        for kill in (lambda: os.killpg(self.process.pid, signal.SIGKILL), self.process.kill):
            with contextlib.suppress(ProcessLookupError, PermissionError, psutil.NoSuchProcess):
                kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def wait(self) -> None:
        try:
            self.process.wait(SECONDS_TO_START)
        except psutil.TimeoutExpired:
            self.kill()

    def send_signal(self, number: int) -> None:
        """To the kernel itself, the child of the first process."""
        if number == signal.SIGKILL:
            self.kill()
        else:
            for kernel in self.process.children():
                kernel.send_signal(number)

    def hold_to_limits(self) -> None:
        """End the kernel if all its processes together use too much, and remember why."""
        try:
            family = self.process.children(recursive=True)
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


class Zygote:
    """A process that has imported everything; `start_kernel` forks it."""

    def __init__(self, unit: Unit, sandbox: str):
        if sandbox == "bwrap":
            require_sandbox()
        self._sandboxed = sandbox == "bwrap"
        self._root = Path(tempfile.mkdtemp(prefix="course-"))
        self._sockets = self._root / "s"
        self._sockets.mkdir()
        edition = self._root / "edition"
        write_edition(unit, edition)
        if self._sandboxed:
            command = [sandboxed_python(), "-m", "examinee.zygote", "--sandboxed"]
            command, env, folder = sandbox_command(edition, self._sockets, command), {"PATH": os.environ["PATH"]}, "/"
        else:
            command = [sys.executable, "-m", "examinee.zygote"]
            env, folder = environment(str(edition)) | {"HOME": str(self._root)}, self._root
        self._log = tempfile.TemporaryFile("w+")  # noqa: SIM115, closed with the zygote
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
            env=env,
            cwd=folder,
            start_new_session=True,
        )
        self._baseline: int | None = None
        self._owner = os.getpid()
        atexit.register(self.close)

    def alive(self) -> bool:
        if os.getpid() == self._owner:
            return self._process.poll() is None
        return _is_running(self._process.pid)

    def new_folder(self) -> Path:
        """A folder for the sockets of a new kernel."""
        folder = self._sockets / secrets.token_hex(6)
        folder.mkdir()
        return folder

    def start_kernel(self, folder: Path, connection: dict) -> WarmKernel:
        """A new kernel with its sockets in the folder."""
        self.wait_until_warm()
        request = {
            "name": folder.name,
            "folder": str(folder),
            "home": str(folder),
            "connection": connection,
            "limits": LIMITS,
            "writable": WRITABLE,
        }
        with self._one_at_a_time():
            try:
                self._process.stdin.write(json.dumps(request) + "\n")
                self._process.stdin.flush()
            except OSError:
                raise CourseError(f"the sandbox has ended: {self._last_words()}") from None
            while (reply := self._read_reply(SECONDS_TO_START)).get("name") != folder.name:
                continue  # it was for a worker that has been lost
        if "pid" not in reply:
            raise CourseError(f"no kernel could be started in the sandbox: {reply.get('error')}")
        return WarmKernel(psutil.Process(reply["pid"]), folder, self._baseline)

    def wait_until_warm(self) -> None:
        """It says so once; then its memory is what every kernel begins with."""
        with self._one_at_a_time():
            if self._baseline is None:
                self._read_reply(SECONDS_TO_START)
                worker = psutil.Process(self._process.pid)
                self._baseline = max([one.memory_info().rss for one in (worker, *worker.children(recursive=True))])

    @contextlib.contextmanager
    def _one_at_a_time(self) -> Iterator[None]:
        """Threads wait for each other, and so do the workers that a process with a zygote has forked."""
        with (self._root / "lock").open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    def close(self) -> None:
        """End it and all its kernels, if it is this process's own."""
        if os.getpid() != self._owner or not self._root.exists():
            return
        if self.alive():
            self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._log):
            stream.close()
        shutil.rmtree(self._root, ignore_errors=True)

    def _read_reply(self, seconds: float) -> dict:
        if not select.select([self._process.stdout], [], [], seconds)[0]:
            raise CourseError(f"the sandbox gave no answer within {seconds:.0f} s: {self._last_words()}")
        line = self._process.stdout.readline()
        if not line:
            raise CourseError(f"the sandbox could not be started: {self._last_words()}")
        return json.loads(line)

    def _last_words(self) -> str:
        self._log.seek(0)
        lines = self._log.read().strip().splitlines()
        return lines[-1] if lines else "it gave no reason"


def zygote(unit: Unit, sandbox: str) -> Zygote:
    """The zygote of a unit in this process; it is warm when it is first asked for a kernel."""
    key = unit.id, sandbox
    if key not in _running or not _running[key].alive():
        if key in _running:
            _running.pop(key).close()
        _running[key] = Zygote(unit, sandbox)
    return _running[key]


def use_zygote(unit: Unit, sandbox: str, shared: Zygote) -> None:
    """Let kernels of the unit come from a zygote that was started before this process was forked."""
    _running[unit.id, sandbox] = shared


def close_zygotes() -> None:
    while _running:
        _running.popitem()[1].close()


def _is_running(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def write_edition(unit: Unit, folder: Path) -> None:
    """What the sandbox shows as Python packages: the student edition of course_lib, and the examinee."""
    files = {path.as_posix(): text for path, text in student_edition(unit).items()}
    for path in (ROOT / "autograder" / "examinee").glob("*.py"):
        files[f"examinee/{path.name}"] = path.read_text("utf-8")
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
