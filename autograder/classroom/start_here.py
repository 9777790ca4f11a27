"""Installation files of a bundle: START_HERE.md, and requirements.txt with the tested versions."""

from pathlib import Path

from autograder.course.units import Unit
from autograder.course.versions import tested_versions
from course_lib.environment import PACKAGES

TEMPLATE = Path(__file__).with_name("START_HERE.md")
INSTALLED = (*PACKAGES, "jupyterlab")


def start_here(unit: Unit) -> str:
    """The page for students, with the commands for each system."""
    return TEMPLATE.read_text("utf-8").format(
        title=f"{unit.id} · {unit.title}",
        notebook=unit.notebook.name,
        bundle=f"{unit.full_name}.zip",
        torch=tested_versions()["torch"],
    )


def requirements() -> str:
    """Pins of the packages that students install by name; pip resolves their dependencies for the student's Python."""
    tested = tested_versions()
    return "".join(f"{name}=={tested[name]}\n" for name in INSTALLED)
