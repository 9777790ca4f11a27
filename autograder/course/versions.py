"""The versions of what is installed here, and of what the course is tested with."""

import platform
from functools import cache
from importlib.metadata import distribution, version

from packaging.requirements import Requirement

from autograder.course.units import IN_REPOSITORY, ROOT

IN_A_GRADE = ("torch", "numpy", "nbgrader")


@cache
def versions() -> dict[str, str]:
    """Of what the numbers in a grade come from."""
    return {"python": platform.python_version()} | {name: version(name) for name in IN_A_GRADE}


@cache
def tested_versions() -> dict[str, str]:
    """By constraints.txt, which a wheel has among its metadata, for this Python and this kind of machine."""
    if IN_REPOSITORY:
        text = (ROOT / "constraints.txt").read_text("utf-8")
    else:
        text = distribution("transformer-course").read_text("extra_metadata/constraints.txt")
    pins = [Requirement(line) for line in text.splitlines() if line and not line.startswith("#")]
    return {pin.name: str(pin.specifier).removeprefix("==") for pin in pins if not pin.marker or pin.marker.evaluate()}
