"""Versions of packages: those installed, and those the course is tested with."""

import platform
from functools import cache
from importlib.metadata import distribution, version

from packaging.requirements import Requirement

from autograder.course.units import IN_REPOSITORY, ROOT

IN_A_GRADE = ("torch", "numpy", "nbgrader")


@cache
def versions() -> dict[str, str]:
    """The installed versions of Python and of the packages that can change a grade."""
    return {"python": platform.python_version()} | {name: version(name) for name in IN_A_GRADE}


@cache
def tested_versions() -> dict[str, str]:
    """The pins of constraints.txt that apply to this Python and platform; a wheel carries the file in its metadata."""
    if IN_REPOSITORY:
        text = (ROOT / "constraints.txt").read_text("utf-8")
    else:
        text = distribution("transformer-course").read_text("extra_metadata/constraints.txt") or ""
    pins = [Requirement(line) for line in text.splitlines() if line and not line.startswith("#")]
    return {pin.name: str(pin.specifier).removeprefix("==") for pin in pins if not pin.marker or pin.marker.evaluate()}
