"""The settings of a class, from course.toml in its directory: late work, extra days, assignment ids in Canvas."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autograder.course.units import all_units
from autograder.errors import CourseError
from autograder.outside_files import Missing, read_named

SETTINGS = "course.toml"
LARGEST = 1_000_000  # bytes
MOST: dict[str, float | None] = {"penalty_per_day": 100, "maximum": 100, "grace": None}
SETTINGS_TEXT = """\
# Settings of this class. None is set: late work loses no points. Remove a leading # to set one.

[late]
# penalty_per_day = 10   # percent of earned points deducted per started day late
# maximum = 50           # largest deduction, in percent of earned points; 100 if not set
# grace = 15             # minutes after the due date that still count as on time

[extra_days]
# "student" = 2                 # days this student gets in addition, for every unit
# "student" = { "01" = 7 }      # or for single units

[canvas]
# "01" = 12345           # the number of the unit's assignment in Canvas, from its address there
"""


@dataclass(frozen=True)
class ClassSettings:
    """`extra_days` maps a student to days by the unit's full name; the key "" holds for every unit."""

    penalty_per_day: float | None = None
    maximum: float = 100.0
    grace: float = 0.0
    extra_days: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    canvas: Mapping[str, int] = field(default_factory=dict)

    def days_more(self, student: str, unit: str) -> float:
        days = self.extra_days.get(student, {})
        return days.get(unit, days.get("", 0.0))


def read_settings(root: Path) -> ClassSettings:
    """Read the settings of a class; a class without the file has the defaults."""
    path = root / SETTINGS
    try:
        tables = tomllib.loads(read_named(path, LARGEST).decode("utf-8-sig"))
    except Missing:
        return ClassSettings()
    except UnicodeDecodeError:
        raise CourseError(f"{path} is not UTF-8 text: save it as UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise CourseError(f"{path} cannot be read: {error}. Ids that are not plain words need quotes") from None
    try:
        _require_known(tables, "the file", ("late", "extra_days", "canvas"))
        late, extra, canvas = (_table(tables.get(name, {}), f"[{name}]") for name in ("late", "extra_days", "canvas"))
        _require_known(late, "[late]", tuple(MOST))
        return ClassSettings(
            **{name: _number(value, f"[late] {name}", MOST[name]) for name, value in late.items()},
            extra_days={student: _days(student, value) for student, value in extra.items()},
            canvas={_unit(unit, "[canvas]"): _identifier(value, unit) for unit, value in canvas.items()},
        )
    except ValueError as problem:
        raise CourseError(f"{path}: {problem}") from None


def _days(student: str, value: object) -> dict[str, float]:
    where = f'[extra_days] "{student}"'
    if isinstance(value, dict):
        return {_unit(unit, where): _number(days, f'{where} "{unit}"') for unit, days in value.items()}
    return {"": _number(value, where)}


def _table(value: object, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"{where} is {value!r}, expected a table of its own lines below {where}")
    return value


def _require_known(table: Mapping[str, object], where: str, known: tuple[str, ...]) -> None:
    if unknown := [name for name in table if name not in known]:
        raise ValueError(f"{where} has {unknown[0]!r}, which is not a setting: it may have {', '.join(known)}")


def _number(value: object, where: str, most: float | None = None) -> float:
    if (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and 0 <= value < float("inf")
        and (most is None or value <= most)
    ):
        return float(value)
    wanted = f"a number from 0 to {most:g}" if most is not None else "a number, 0 or more"
    raise ValueError(f"{where} is {value!r}, expected {wanted}")


def _identifier(value: object, unit: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value <= 0:
        raise ValueError(f'[canvas] "{unit}" is {value!r}, expected the number of an assignment in Canvas')
    return value


def _unit(name: str, where: str) -> str:
    for unit in all_units():
        if name in (unit.id, unit.full_name):
            return unit.full_name
    raise ValueError(f"{where} names the unit {name!r}, expected one of {', '.join(unit.id for unit in all_units())}")
