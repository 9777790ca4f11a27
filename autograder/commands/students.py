"""Commands for students."""

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer

from autograder.commands.app import Sandbox, Seconds, app, grade_and_show, known_sandbox, out


@app.command(rich_help_panel="Students")
def lab(
    unit: Annotated[
        str | None, typer.Argument(metavar="[UNIT]", help="The unit to open: 01, or its full name.")
    ] = None,
    folder: Annotated[Path, typer.Option(help="Where your copies of the notebooks live.")] = Path("my_notebooks"),
) -> None:
    """Open JupyterLab on your own copy of the notebooks; a copy you have worked in is never overwritten."""
    from autograder.course import find_unit, written_units

    folder.mkdir(exist_ok=True)
    chosen = [find_unit(unit)] if unit else list(written_units())
    for one in chosen:
        if not (folder / one.notebook.name).exists():
            shutil.copy(one.notebook, folder)
    target = folder / chosen[0].notebook.name if unit else folder
    raise typer.Exit(subprocess.call([sys.executable, "-m", "jupyter", "lab", str(target)]))


@app.command(rich_help_panel="Students")
def check(
    notebook: Annotated[Path, typer.Argument(help="A notebook of this course.")],
    full: Annotated[bool, typer.Option("--full", help="Examine it as when it is graded.")] = False,
    sandbox: Sandbox = "bwrap",
    timeout: Seconds = None,
    json_file: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write the result as one JSON line.")
    ] = None,
) -> None:
    """Check your own notebook: which answers pass? With --full, by the hidden exams, for authors and self-learners."""
    from autograder.check_notebook import check_notebook, full_check
    from autograder.summary import checks_table

    if full:
        grade_and_show([full_check(notebook, known_sandbox(sandbox), timeout)], 1, json_file)
        return
    checks = check_notebook(notebook, timeout)
    out.print(checks_table(checks))
    if not all(one.passed for one in checks):
        raise typer.Exit(1)
