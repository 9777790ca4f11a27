"""The report on a class: one HTML page with pictures, for those who teach it."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path

from autograder.atomic_files import write_beside
from autograder.classroom.canary import require_no_canary
from autograder.classroom.directory import ClassDirectory
from autograder.course.units import Unit, written_units
from autograder.errors import CourseError
from autograder.gradebook.reader import known_students
from autograder.gradebook.record_files import recorded_students
from autograder.reports.class_report.class_results import NOT_NOTED, read_class_results
from autograder.reports.class_report.unit import UnitReport, report_unit
from autograder.reports.pages import render

FOLDER = "reports"
SANDBOXES = {
    "bwrap": "in bubblewrap",
    "none": "WITHOUT A SANDBOX: these grades may be forged",
    NOT_NOTED: "in a sandbox that was not noted",
}


def write_report(directory: ClassDirectory, unit: Unit | None = None) -> Path:
    """Write the page on one unit, or on every unit that is released, and return it."""
    units = [unit] if unit else released_units(directory)
    if not units:
        raise CourseError(
            f"there is nothing to report on in {directory.root}: release a unit with "
            f"`course release {directory.quoted} 01` first"
        )
    with directory.gradebook() as gradebook:
        everyone = known_students(gradebook)
        for student in _seen(directory, units):
            everyone.setdefault(student, "")
        read = [read_class_results(directory, unit, gradebook, everyone) for unit in units]
    reports = [report_unit(directory, results) for results in read]
    page = directory.root / FOLDER / f"{unit.full_name if unit else 'class'}.html"
    html = render(
        "report.html",
        class_name=directory.root.name,
        reports=reports,
        everyone=everyone,
        who=lambda student: f"{everyone[student]} ({student})" if everyone.get(student) else student,
        sandboxes=_sandboxes(reports),
        unsafe=any(name == "none" for report in reports for name, _ in report.results.sandboxes),
        made=f"{datetime.now():%d %B %Y, %H:%M}",
    )
    require_no_canary("the report", html, directory.canary)
    write_beside(page, html)
    return page


def released_units(directory: ClassDirectory) -> list[Unit]:
    """The units of which the class has a release, in the order of the course."""
    released = directory.root / "release"
    return [unit for unit in written_units() if (released / unit.full_name / unit.notebook.name).exists()]


def _seen(directory: ClassDirectory, units: Sequence[Unit]) -> Iterator[str]:
    """Whoever has handed in anything, or has a result, in the gradebook or not."""
    for path in directory.root.glob("submitted/*/*"):
        yield path.parent.name
    for unit in units:
        yield from recorded_students(directory, unit)


def _sandboxes(reports: Sequence[UnitReport]) -> list[tuple[str, int]]:
    """How many submissions ran where, in words; one that nobody knows is said too."""
    counts: dict[str, int] = {}
    for report in reports:
        for (name, bubblewrap), count in report.results.sandboxes.items():
            words = f"{SANDBOXES.get(name, f'in {name}')} {bubblewrap}".strip()
            counts[words] = counts.get(words, 0) + count
    return list(counts.items())
