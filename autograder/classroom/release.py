"""Release a unit: the student notebook in nbgrader's release folder, and a self-contained zip file for students."""

import zipfile
from datetime import datetime
from pathlib import Path

from nbgrader.converters import GenerateAssignment
from nbgrader.converters.base import NbGraderException

from autograder.classroom.canary import plant, require_no_canary
from autograder.classroom.directory import ClassDirectory
from autograder.classroom.start_here import requirements, start_here
from autograder.course.notebooks import solution_notebook, write_notebook
from autograder.course.student_library import student_edition
from autograder.course.units import Unit
from autograder.errors import CourseError
from autograder.sandbox.provisioner import install_kernelspec


def release_unit(directory: ClassDirectory, unit: Unit, due: datetime | None = None) -> Path:
    """Write the source notebook, run `nbgrader generate_assignment` on it, and return the path of the zip file."""
    source = directory.source(unit)
    source.parent.mkdir(parents=True, exist_ok=True)
    source.write_text(write_notebook(plant(solution_notebook(unit), directory.canary)), "utf-8")
    coursedir = directory.coursedir()
    coursedir.assignment_id = unit.full_name
    try:
        GenerateAssignment(coursedir=coursedir, config=directory.config(), force=True).start()
    except NbGraderException as error:
        raise CourseError(f"nbgrader could not release unit {unit.id}: {error}") from error
    install_kernelspec(directory.jupyter_data, unit, "bwrap")
    if due is not None:
        with directory.gradebook() as gradebook:
            gradebook.update_or_create_assignment(unit.full_name, duedate=due.astimezone().isoformat())
    return _write_bundle(directory, unit)


def _write_bundle(directory: ClassDirectory, unit: Unit) -> Path:
    name = unit.notebook.name
    files = {path.as_posix(): text for path, text in student_edition(unit).items()}
    files[name] = directory.released(unit).read_text("utf-8")
    files["START_HERE.md"] = start_here(unit)
    files["requirements.txt"] = requirements()
    for path, text in files.items():
        require_no_canary(f"{path} in the bundle", text, directory.canary)
    bundle = directory.root / "release" / f"{unit.full_name}.zip"
    now = datetime.now().timetuple()[:6]
    with zipfile.ZipFile(bundle, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(files):
            archive.writestr(zipfile.ZipInfo(f"{unit.full_name}/{path}", now), files[path], zipfile.ZIP_DEFLATED)
    return bundle
