"""The units of the course as listed in `solutions/course.toml`, and the folders of its files."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path

from autograder.errors import CourseError

PACKAGE = Path(str(files("autograder"))).resolve()
ROOT = PACKAGE.parent  # holds both packages: the repository, or site-packages if installed from a wheel
CARRIED = PACKAGE / "materials"  # a wheel carries the folders notebooks and solutions here
IN_REPOSITORY = not CARRIED.exists()
NOTEBOOKS = (ROOT if IN_REPOSITORY else CARRIED) / "notebooks"
SOURCES = (ROOT if IN_REPOSITORY else CARRIED) / "solutions"
HOW_TO_MEND = "make it anew with `course build`" if IN_REPOSITORY else "install the course again"


@dataclass(frozen=True)
class Unit:
    """One notebook of the course; a unit without points is announced but not written yet.

    `seconds` is the time limit of a cell during grading: longer where a model is trained, with room for a slow
    machine. `explains` maps each exercise that a person grades to the ids of the syllabus that it answers.
    """

    id: str
    name: str
    title: str
    summary: str
    minutes: int = 0
    points: float = 0
    seconds: int = 60
    answers: tuple[str, ...] = ()
    explains: Mapping[str, list[str]] = field(default_factory=dict, hash=False)

    @property
    def full_name(self) -> str:
        return f"{self.id}_{self.name}"

    @property
    def written(self) -> bool:
        return self.points > 0

    @property
    def source(self) -> Path:
        return SOURCES / f"{self.full_name}.py"

    @property
    def notebook(self) -> Path:
        return NOTEBOOKS / f"{self.full_name}.ipynb"


@cache
def all_units() -> tuple[Unit, ...]:
    """Every unit, in the order of the course."""
    path = SOURCES / "course.toml"
    if not path.exists():
        raise CourseError(f"{path} is missing: install the course again")
    tables = tomllib.loads(path.read_text("utf-8"))["unit"]
    return tuple(Unit(**table | {"answers": tuple(table.get("answers", ()))}) for table in tables)


def require_repository(command: str) -> None:
    """Raise a CourseError if the course is installed from a wheel."""
    if not IN_REPOSITORY:
        raise CourseError(
            f"`{command}` writes files of the course's repository, and this course is installed in {ROOT}: "
            "run `pip install -e .` in a copy of the repository, and then the command there"
        )


def written_units() -> tuple[Unit, ...]:
    return tuple(unit for unit in all_units() if unit.written)


def find_unit(name: str) -> Unit:
    """A written unit by its number ("01") or its full name ("01_cross_attention_shapes")."""
    for unit in written_units():
        if name.removesuffix(".ipynb") in (unit.id, unit.id.lstrip("0"), unit.name, unit.full_name):
            return unit
    known = ", ".join(unit.full_name for unit in written_units())
    raise CourseError(f"there is no unit {name!r}; the units are: {known}")
