"""`course doctor`: is everything here that the course needs?"""

import importlib.metadata
import platform
import re
import shlex
import shutil
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from jupyter_client.kernelspec import KernelSpecManager, NoSuchKernel

from autograder.built_files import stale_files
from autograder.class_directory import SECRET, ClassDirectory
from autograder.class_settings import SETTINGS, read_settings
from autograder.course import HOW_TO_MEND, IN_REPOSITORY, written_units
from autograder.errors import CourseError
from autograder.examiner.bubblewrap import SYSTEM, WHEEL, bubblewrap
from autograder.installed import tested_versions

MENDED = (0, 12)
BEFORE = (
    "before 0.12.0, bubblewrap can create files on the host through a symbolic link while it sets up a sandbox "
    "(CVE-2026-87766). Students' code runs only afterwards, and distributions mend older versions too:"
)
ADVICE = {
    SYSTEM: f"{BEFORE} keep your distribution's package bubblewrap up to date",
    WHEEL: f"{BEFORE} install your distribution's package bubblewrap, which is then used",
}
PACKAGES = ("torch", "jupyterlab", "nbgrader", "matplotlib", "ipywidgets", "jaxtyping", "jupytext")


@dataclass(frozen=True)
class Sign:
    """One thing that was looked at; `advice` says what to do when it is not well, be it only something to know."""

    name: str
    well: bool
    found: str
    advice: str = ""
    only_warns: bool = False


def examine_installation() -> Iterator[Sign]:
    version = platform.python_version_tuple()
    yield Sign(
        "Python",
        (int(version[0]), int(version[1])) >= (3, 11),
        platform.python_version(),
        "install 3.11 or later",
    )
    tested = tested_versions()
    for package in PACKAGES:
        try:
            found = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            yield Sign(package, False, "missing", f"pip install {package}=={tested[package]}")
            continue
        wanted = tested[package]
        same = found.partition("+")[0] == wanted
        yield Sign(package, True, found if same else f"{found} (tested with {wanted})")
    try:
        kernel = KernelSpecManager().get_kernel_spec("python3").resource_dir
        yield Sign("kernel python3", True, kernel)
    except NoSuchKernel:
        yield Sign("kernel python3", False, "missing", "python -m ipykernel install --sys-prefix")
    yield from _sandbox()
    yield _notebooks()


def examine_class(directory: ClassDirectory) -> Iterator[Sign]:
    secret = directory.root / SECRET
    if secret.exists():
        private = secret.stat().st_mode & 0o077 == 0
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


def _notebooks() -> Sign:
    """All there, and in the repository as fresh as a build would make them."""
    if missing := [unit.notebook.name for unit in written_units() if not unit.notebook.exists()]:
        return Sign("notebooks", False, f"missing: {', '.join(missing)}", HOW_TO_MEND)
    if stale := stale_files() if IN_REPOSITORY else []:
        return Sign("notebooks", False, f"stale: {', '.join(stale)}", HOW_TO_MEND)
    return Sign("notebooks", True, f"{len(written_units())} of them{', fresh' if IN_REPOSITORY else ''}")


def _sandbox() -> Iterator[Sign]:
    try:
        program = bubblewrap()
    except CourseError as problem:
        yield Sign("sandbox", False, "none", str(problem))
        return
    mended = tuple(int(part) for part in re.findall(r"\d+", program.version)[:2]) >= MENDED
    yield Sign("sandbox", mended, f"bubblewrap {program} ({program.path})", ADVICE[program.origin], only_warns=True)
    from autograder.examinee.system_calls import can_refuse  # can be imported on Linux alone

    found = f"{'known' if can_refuse() else 'not known'} for {platform.machine()}"
    advice = "grade on x86_64 or aarch64: elsewhere, memory and keys that a student's code leaves behind outlive it"
    yield Sign("filter of system calls", can_refuse(), found, advice, only_warns=True)


def _settings(directory: ClassDirectory, known: Collection[str]) -> Sign:
    try:
        settings = read_settings(directory.root)
    except CourseError as problem:
        return Sign("settings", False, "cannot be read", str(problem))
    unknown = sorted(settings.extra_days.keys() - known)
    found = f"extra days for {', '.join(unknown)}, whom the gradebook does not know" if unknown else "well-formed"
    return Sign("settings", not unknown, found, f"mend {SETTINGS}, or import the class with `course roster`")
