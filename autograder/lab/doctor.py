"""`course doctor`: check the installation and a class directory; it works even where packages are missing."""

import os
import platform
import re
import shlex
import shutil
import sys
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from typing import TYPE_CHECKING

from autograder.classroom.settings import SETTINGS, read_settings
from autograder.course.units import HOW_TO_MEND, IN_REPOSITORY, written_units
from autograder.errors import CourseError
from autograder.sandbox.bubblewrap import SYSTEM, WHEEL, bubblewrap
from course_lib.environment import PACKAGES, PYTHON, problem_with

if TYPE_CHECKING:  # its import needs packages whose absence is to be reported here
    from autograder.classroom.directory import ClassDirectory

MEND_FIRST = "mend the packages above first"
FIXED = (0, 12)  # the version of bubblewrap without the vulnerability that BEFORE describes
BEFORE = (
    "before 0.12.0, bubblewrap can create files on the host through a symbolic link while it sets up a sandbox "
    "(CVE-2026-87766). Students' code runs only afterwards, and distributions mend older versions too:"
)
ADVICE = {
    SYSTEM: f"{BEFORE} keep your distribution's package bubblewrap up to date",
    WHEEL: f"{BEFORE} install your distribution's package bubblewrap, which is then used",
}


@dataclass(frozen=True)
class Sign:
    """The result of one check; if not `well`, `advice` says what to do, and `only_warns` keeps the exit code 0."""

    name: str
    well: bool
    found: str
    advice: str = ""
    only_warns: bool = False


def examine_installation() -> Iterator[Sign]:
    new_enough = sys.version_info[:2] >= PYTHON
    yield Sign("Python", new_enough, platform.python_version(), f"install {'.'.join(map(str, PYTHON))} or later")
    yield from _packages()
    yield _kernel()
    yield from _sandbox()
    yield _notebooks()


def examine_class(directory: "ClassDirectory") -> Iterator[Sign]:
    from autograder.classroom.directory import SECRET

    secret = directory.root / SECRET
    if secret.exists():
        private = os.name == "nt" or secret.stat().st_mode & 0o077 == 0  # Windows has no permission bits
        found = "private" if private else "others can read it"
        yield Sign("the class secret", private, found, f"chmod 600 {shlex.quote(str(secret))}")
    else:
        yield Sign("the class secret", False, "missing", f"put {secret} back from a copy")
    with directory.gradebook() as gradebook:
        known = {student.id for student in gradebook.students}
        yield Sign("the gradebook", True, f"{len(known)} students, {len(gradebook.assignments)} units")
    yield _settings(directory, known)
    free = shutil.disk_usage(directory.root).free / 1e9
    yield Sign("free disk space", free > 1, f"{free:.1f} GB", "free at least 1 GB")


def _settings(directory: "ClassDirectory", known: Collection[str]) -> Sign:
    try:
        settings = read_settings(directory.root)
    except CourseError as problem:
        return Sign("settings", False, "cannot be read", str(problem))
    unknown = sorted(settings.extra_days.keys() - known)
    found = f"extra days for {', '.join(unknown)}, whom the gradebook does not know" if unknown else "well-formed"
    return Sign("settings", not unknown, found, f"mend {SETTINGS}, or import the class with `course roster`")


def _packages() -> Iterator[Sign]:
    try:
        from autograder.course.versions import tested_versions

        tested = tested_versions()
    except Exception:  # a broken package may raise anything
        tested = {}
    for name, floor in _floors().items():
        wanted = tested.get(name)
        if problem := problem_with(name, floor):
            yield Sign(
                name, False, problem, f'pip install "{name}=={wanted}"' if wanted else f'pip install "{name}>={floor}"'
            )
            continue
        found = version(name)
        same = wanted is None or found.partition("+")[0] == wanted
        yield Sign(name, True, found if same else f"{found} (tested with {wanted})")


def _floors() -> dict[str, str]:
    """The lowest version of each dependency without extras; of the notebooks' alone if the course isn't installed."""
    try:
        lines = requires("transformer-course") or ()
    except PackageNotFoundError:
        return PACKAGES
    matches = [re.fullmatch(r"([\w.-]+)>=([\w.]+)", line) for line in lines]  # a line of an extra has a marker
    return {match[1]: match[2] for match in matches if match}


def _kernel() -> Sign:
    try:
        from jupyter_client.kernelspec import KernelSpecManager, NoSuchKernel
    except Exception as error:
        return Sign("kernel python3", False, f"cannot be looked for ({type(error).__name__}: {error})", MEND_FIRST)
    try:
        return Sign("kernel python3", True, KernelSpecManager().get_kernel_spec("python3").resource_dir)
    except NoSuchKernel:
        return Sign("kernel python3", False, "missing", "python -m ipykernel install --sys-prefix")


def _sandbox() -> Iterator[Sign]:
    try:
        program = bubblewrap()
    except CourseError as problem:
        yield Sign("sandbox", False, "none", str(problem), only_warns=sys.platform != "linux")
        return
    fixed = tuple(int(part) for part in re.findall(r"\d+", program.version)[:2]) >= FIXED
    yield Sign("sandbox", fixed, f"bubblewrap {program} ({program.path})", ADVICE[program.origin], only_warns=True)
    from autograder.sandbox.inside.seccomp import can_refuse  # importable on Linux only

    found = f"{'known' if can_refuse() else 'not known'} for {platform.machine()}"
    advice = "grade on x86_64 or aarch64: elsewhere, memory and keys that a student's code leaves behind outlive it"
    yield Sign("filter of system calls", can_refuse(), found, advice, only_warns=True)


def _notebooks() -> Sign:
    """Whether all notebooks exist and, in the repository, are what `course build` would write."""
    if missing := [unit.notebook.name for unit in written_units() if not unit.notebook.exists()]:
        return Sign("notebooks", False, f"missing: {', '.join(missing)}", HOW_TO_MEND)
    if not IN_REPOSITORY:
        return Sign("notebooks", True, f"{len(written_units())} of them")
    try:
        from autograder.authoring.build import stale_files

        stale = stale_files()
    except Exception as error:
        return Sign("notebooks", False, f"cannot be looked at ({type(error).__name__}: {error})", MEND_FIRST)
    found = f"{len(written_units())} of them, fresh" if not stale else f"stale: {', '.join(stale)}"
    return Sign("notebooks", not stale, found, HOW_TO_MEND)
