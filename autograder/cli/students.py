"""Commands for students."""

from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from autograder.cli.app import Sandbox, Seconds, app, grade_and_show, known_sandbox, out, require_room, say
from autograder.errors import CourseError


@app.command(rich_help_panel="For students")
def lab(
    unit: Annotated[
        str | None, typer.Argument(metavar="[UNIT]", help="Number (01) or full name of the unit to open.")
    ] = None,
    folder: Annotated[Path, typer.Option(help="Folder for your copies of the notebooks.")] = Path("my_notebooks"),
    new: Annotated[
        bool, typer.Option("--new", help="Open the latest release of the unit, beside the copy that you changed.")
    ] = False,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open a browser, or only print the address.")
    ] = True,
    port: Annotated[
        int | None, typer.Option(metavar="N", min=0, max=65535, help="Port to listen on; 0 takes any free one.")
    ] = None,
    allow_root: Annotated[bool, typer.Option("--allow-root", help="Start even as root, as in a container.")] = False,
) -> None:
    """Open JupyterLab on your own copies of the notebooks; a copy that you changed is never overwritten."""
    from autograder.course.units import find_unit, written_units
    from autograder.lab.server import start_lab

    if new and not unit:
        raise CourseError("--new needs the unit that you want anew, such as `course lab 01 --new`")
    chosen = [find_unit(unit)] if unit else list(written_units())

    from autograder.lab.working_copy import require_folder, working_copy

    copies_folder = require_folder(folder)
    copies = [working_copy(unit_to_open, copies_folder, new) for unit_to_open in chosen]
    for copy in copies:
        if copy.note:
            say(copy.note)
    start_lab(copies_folder, copies[0].path if unit else None, browser=browser, port=port, allow_root=allow_root)


@app.command(rich_help_panel="For students")
def check(
    notebook: Annotated[Path, typer.Argument(help="A notebook of this course.")],
    full: Annotated[bool, typer.Option("--full", help="Grade it by the hidden exams.")] = False,
    sandbox: Sandbox = "bwrap",
    timeout: Seconds = None,
    json_file: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="File for the result, as one JSON line.")
    ] = None,
) -> None:
    """Run the visible checks of your own notebook. With --full, grade it, for authors and self-learners."""
    from autograder.course.which_unit import read_any_notebook

    read_any_notebook(notebook)
    require_room(json_file)
    if full:
        _show_full_check(notebook, known_sandbox(sandbox), timeout, json_file)
        return

    from autograder.grading.check_notebook import check_notebook
    from autograder.terminal.results_table import checks_table
    from course_lib.cards.session_outcomes import Outcome

    checks = check_notebook(notebook, timeout)
    out.print(checks_table(checks))
    if not all(check.outcome in (Outcome.PASSES, Outcome.ANSWERED) for check in checks):
        raise typer.Exit(1)


def _show_full_check(notebook: Path, sandbox: str, timeout: int | None, json_file: Path | None) -> None:
    from autograder.course.units import find_unit
    from autograder.sandbox.zygote_pool import zygote

    with suppress(CourseError):  # a notebook of another name: `full_check` finds its unit by its exercises
        zygote(find_unit(notebook.stem), sandbox)  # start early: it imports in parallel with this process

    from autograder.grading.full_check import full_check

    grade_and_show([full_check(notebook, sandbox, timeout)], 1, json_file)
