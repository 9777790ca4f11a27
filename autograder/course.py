"""The course as `solutions/course.toml` describes it: its units, in order."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from autograder.errors import CourseError

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = ROOT / "notebooks"
SOURCES = ROOT / "solutions"


@dataclass(frozen=True)
class Unit:
    """One notebook of the course; a unit without points is announced but not written yet.

    `seconds` is how long a cell may run when it is graded: longer where a model is trained, with room for a slow
    machine. `explains` are the exercises that a person grades, with the ids of the syllabus that each answers.
    """

    id: str
    name: str
    title: str
    summary: str
    minutes: int = 0
    points: float = 0
    seconds: int = 60
    answers: tuple[str, ...] = ()
    explains: Mapping[str, list] = field(default_factory=dict, hash=False)

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
        raise CourseError(f"{path} is missing: install the course from its repository with `pip install -e .`")
    tables = tomllib.loads(path.read_text("utf-8"))["unit"]
    return tuple(Unit(**table | {"answers": tuple(table.get("answers", ()))}) for table in tables)


def written_units() -> tuple[Unit, ...]:
    return tuple(unit for unit in all_units() if unit.written)


def find_unit(name: str) -> Unit:
    """A written unit by its number ("01") or its full name ("01_cross_attention_shapes")."""
    for unit in written_units():
        if name.removesuffix(".ipynb") in (unit.id, unit.id.lstrip("0"), unit.name, unit.full_name):
            return unit
    known = ", ".join(unit.full_name for unit in written_units())
    raise CourseError(f"there is no unit {name!r}; the units are: {known}")
