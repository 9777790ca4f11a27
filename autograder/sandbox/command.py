"""Builds the bubblewrap command: a process that sees Python and the student edition of course_lib, nothing else."""

import os
import sys
from pathlib import Path

from autograder.course.units import ROOT
from autograder.errors import CourseError
from autograder.sandbox.bubblewrap import SEALED, bubblewrap

SANDBOXES = ("bwrap", "none")
EDITION = "/course"
PREFIX = Path("/python")  # where sys.prefix is mounted: at its own path, one below /tmp would be hidden
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/nix/store")
SETTINGS = ("ld.so.cache", "ld.so.conf", "ld.so.conf.d", "alternatives", "fonts", "localtime")
HIDDEN = ("autograder", "course_lib", "solutions", "notebooks", "tests", "build", ".git")
ENVIRONMENT = {
    "PATH": "/usr/bin:/bin",
    "HOME": "/home/student",
    "USER": "student",
    "LANG": "C.UTF-8",
    "MPLBACKEND": "module://matplotlib_inline.backend_inline",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "NBGRADER_EXECUTION": "autograde",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYDEVD_DISABLE_FILE_VALIDATION": "1",  # ipykernel imports the debugger, which warns otherwise
}


def require_sandbox() -> None:
    """Raise a CourseError unless bubblewrap works here."""
    bubblewrap()


def require_hidden(folder: Path) -> None:
    """Raise a CourseError if the folder lies in one that the sandbox mounts, where submissions could read it."""
    if _inside(str(folder.resolve()), [os.path.realpath(place) for place in (*SYSTEM, sys.base_prefix, sys.prefix)]):
        raise CourseError(
            f"submissions could read {folder}: move it out of the system's folders, to your home for example"
        )


def sandbox_command(edition: Path, sockets: Path, command: list[str]) -> list[str]:
    """`command` in bubblewrap, with no network and without the home, the repository and the class."""
    shown = [path for path in SYSTEM if os.path.exists(path)]
    base = [] if _inside(sys.base_prefix, shown) else [sys.base_prefix]
    parts = [bubblewrap().path, *SEALED]
    for path in shown:
        parts += ["--symlink", os.readlink(path), path] if os.path.islink(path) else ["--ro-bind", path, path]
    for path in [*base, *(f"/etc/{name}" for name in SETTINGS)]:
        parts += ["--ro-bind-try", path, path]
    parts += ["--ro-bind", sys.prefix, str(PREFIX)]
    mounted: list[tuple[str, Path | str]] = [
        (path, path) for path in [*(path for path in shown if not os.path.islink(path)), *base]
    ]
    for outside, inside in [*mounted, (sys.prefix, PREFIX)]:
        for hidden in (ROOT / name for name in HIDDEN):
            real = os.path.realpath(outside)  # sys.prefix may be a symlink, and ROOT is resolved
            if hidden.is_dir() and hidden.is_relative_to(real):
                parts += ["--tmpfs", str(Path(inside) / hidden.relative_to(real))]
    for path in ("/tmp", "/home/student"):  # the zygote's: each kernel mounts its own over them
        parts += ["--tmpfs", path]
    # the host's /proc: Linux lets a kernel's namespace mount a procfs of its own only where a whole one is visible
    parts += ["--bind", "/proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev"]
    parts += ["--ro-bind", str(edition), EDITION, "--bind", str(sockets), "/run/sockets", "--remount-ro", "/"]
    for name, value in environment(EDITION).items():
        parts += ["--setenv", name, value]
    return [*parts, "--chdir", "/home/student", *command]


def sandboxed_python() -> str:
    """The path of this interpreter in the sandbox."""
    return str(PREFIX / Path(sys.executable).relative_to(sys.prefix))


def environment(edition: str) -> dict[str, str]:
    """The whole environment of a kernel: nothing is inherited."""
    return ENVIRONMENT | {"PYTHONPATH": edition}


def _inside(path: str, folders: list[str]) -> bool:
    return any(path == folder or path.startswith(f"{folder}/") for folder in folders)
