"""The sandbox: a bubblewrap command that shows a process nothing but Python and the student edition."""

import os
import sys
from pathlib import Path

from autograder.course.units import ROOT
from autograder.errors import CourseError
from autograder.sandbox.bubblewrap import SEALED, bubblewrap

SANDBOXES = ("bwrap", "none")
EDITION = "/course"
PREFIX = Path("/python")  # the environment, wherever it is outside: a folder in /tmp would be hidden
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
    "PYDEVD_DISABLE_FILE_VALIDATION": "1",  # or the debugger, which nobody uses here, warns
}


def require_sandbox() -> None:
    """Raise a CourseError unless bubblewrap works here."""
    bubblewrap()


def require_hidden(folder: Path) -> None:
    """Raise a CourseError if the folder lies in a part of the system that the sandbox shows."""
    if _inside(str(folder.resolve()), [os.path.realpath(place) for place in (*SYSTEM, sys.base_prefix, sys.prefix)]):
        raise CourseError(
            f"submissions could read {folder}: move it out of the system's folders, to your home for example"
        )


def sandbox_command(edition: Path, sockets: Path, command: list[str]) -> list[str]:
    """Bubblewrap with everything that `command` may see: no network, no home, no repository, no class."""
    shown = [path for path in SYSTEM if os.path.exists(path)]
    base = [] if _inside(sys.base_prefix, shown) else [sys.base_prefix]
    parts = [bubblewrap().path, *SEALED]
    for path in shown:
        parts += ["--symlink", os.readlink(path), path] if os.path.islink(path) else ["--ro-bind", path, path]
    for path in [*base, *(f"/etc/{name}" for name in SETTINGS)]:
        parts += ["--ro-bind-try", path, path]
    parts += ["--ro-bind", sys.prefix, str(PREFIX)]
    mounted = [(path, path) for path in [*(path for path in shown if not os.path.islink(path)), *base]]
    for outside, inside in [*mounted, (sys.prefix, PREFIX)]:
        for path in (ROOT / name for name in HIDDEN):
            real = os.path.realpath(outside)  # the way to an environment can be a link, and ROOT follows links
            if path.is_dir() and path.is_relative_to(real):
                parts += ["--tmpfs", str(Path(inside) / path.relative_to(real))]
    for path in ("/tmp", "/home/student"):  # for the zygote alone: a kernel mounts its own over them
        parts += ["--tmpfs", path]
    # the world's /proc, which lets each kernel mount one of its own over it
    parts += ["--bind", "/proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev"]
    parts += ["--ro-bind", str(edition), EDITION, "--bind", str(sockets), "/run/sockets", "--remount-ro", "/"]
    for name, value in environment(EDITION).items():
        parts += ["--setenv", name, value]
    return [*parts, "--chdir", "/home/student", *command]


def sandboxed_python() -> str:
    """This interpreter, as the sandbox shows it."""
    return str(PREFIX / Path(sys.executable).relative_to(sys.prefix))


def environment(edition: str) -> dict[str, str]:
    """All that a kernel's environment holds."""
    return ENVIRONMENT | {"PYTHONPATH": edition}


def _inside(path: str, folders: list[str]) -> bool:
    return any(path == folder or path.startswith(f"{folder}/") for folder in folders)
