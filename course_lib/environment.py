"""Check that Python and the packages are recent enough; imports only the standard library, so it always runs."""

from __future__ import annotations

import importlib
import re
import sys
from importlib.metadata import PackageNotFoundError, version

PYTHON = (3, 11)
PACKAGES = {
    "torch": "2.6",
    "numpy": "1.26",
    "matplotlib": "3.9",
    "ipywidgets": "8.1",
    "jaxtyping": "0.3",
    "scikit-learn": "1.5",
}


# Google Colab comes with ipywidgets 7, and its pages do not show the widgets of a newer one.
IN_COLAB = {"ipywidgets": "7.7"}


class NotReady(Exception):
    """A package or Python is missing or too old; a notebook shows the message without a traceback."""

    def _render_traceback_(self) -> list[str]:
        return str(self).splitlines()


def look_around() -> None:
    """Print the versions found, or raise NotReady with what is missing and how to install it."""
    here = ".".join(map(str, sys.version_info[:3]))
    lines = ["✓ course_lib", f"{'✓' if _python_is_new_enough() else '✗'} Python {here}"]
    wanting = []
    for name, floor in (PACKAGES | (IN_COLAB if "google.colab" in sys.modules else {})).items():
        problem = problem_with(name, floor)
        lines.append(f"✗ {name} {problem}" if problem else f"✓ {name} {version(name)}")
        if problem:
            wanting.append(f"{name}>={floor}")
    text = "\n".join(lines)
    if not _python_is_new_enough():
        raise NotReady(f"{text}\n\n{_python_advice(here)}")
    if wanting:
        raise NotReady(f"{text}\n\n{_package_advice(wanting)}")
    print(f"{text}\nEverything is here. Welcome to the course!")


def _python_is_new_enough() -> bool:
    return sys.version_info[:2] >= PYTHON


def problem_with(name: str, floor: str) -> str | None:
    """What is wrong with a package, as the end of a sentence, or None."""
    try:
        installed = version(name)
    except PackageNotFoundError:
        return "is missing"
    if not installed:  # a leftover .dist-info folder without metadata
        return "is missing"
    if (number := _number(installed)) and number < _number(floor):
        return f"{installed} is older than {floor}"
    if name == "torch":  # large: an interrupted download leaves it broken
        try:
            importlib.import_module(name)
        except Exception as error:
            return f"{installed} is installed but does not load ({type(error).__name__}: {error})"
    return None


def _number(text: str) -> list[int]:
    """The first two numbers of a version, such as 2 and 6 of "2.6rc1"; none, if it does not begin with a number."""
    parts = re.match(r"(\d+)(?:\.(\d+))?", text)
    return [int(part or 0) for part in parts.groups()] if parts else []


def _python_advice(here: str) -> str:
    wanted = ".".join(map(str, PYTHON))
    return (
        f"Not quite ready, and nothing you did is wrong: this is Python {here}, the course needs {wanted} or later.\n"
        "Install a newer Python, start JupyterLab with it, and run this cell again."
    )


def _package_advice(wanting: list[str]) -> str:
    line = " ".join(f'"{requirement}"' for requirement in wanting)
    return (
        "Not quite ready, and nothing you did is wrong. Make a new cell below, put this line into it and run it:\n"
        f"    %pip install {line}\n"
        "Then choose Kernel → Restart Kernel in the menu and run this cell again.\n"
        "Still ✗? Send this whole message to your instructor: it says all they need to know."
    )
