"""The versions of what the numbers in a grade come from."""

import platform
from functools import cache
from importlib.metadata import version

PACKAGES = ("torch", "numpy", "nbgrader")


@cache
def versions() -> dict[str, str]:
    return {"python": platform.python_version()} | {name: version(name) for name in PACKAGES}
