"""The student's side of a release, with nothing but Python and the bundle: run the very lines of START_HERE.

    PYTHONPATH=tests python -m student_bundle FOLDER 01   # with the course: the bundle, and a solved notebook
    python tests/student_side.py FOLDER/01_cross_attention_shapes.zip FOLDER/solution.ipynb

The second unpacks the bundle, puts the solved notebook in the place of its own, and runs the lines for this system. In
place of opening JupyterLab it runs the notebook. Every visible check must pass.
"""

import json
import platform
import re
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

HEADINGS = {"Windows": "Windows", "Darwin": "macOS", "Linux": "Linux"}  # by platform.system()
SECONDS = 900  # that one cell may take


def lines_for(system: str, page: str) -> list[str]:
    """The lines that START_HERE has in the block of a system, by its heading."""
    section = re.search(rf"^## {system}\n(.*?)^## ", page, flags=re.DOTALL | re.MULTILINE)[1]
    return re.search(r"^```(?:powershell|bash)\n(.*?)^```", section, flags=re.DOTALL | re.MULTILINE)[1].splitlines()


def run_lines(lines: list[str], folder: Path) -> None:
    """One shell says and runs them all, and stops at the first that fails."""
    said = [part for line in lines for part in (f"echo '> {line}'", line)]
    script = folder.parent / ("lines.ps1" if platform.system() == "Windows" else "lines.sh")
    if platform.system() == "Windows":
        said = [part for line in said for part in (line, "if ($LASTEXITCODE) { exit $LASTEXITCODE }")]
        command = ["powershell", "-NoProfile", "-ExecutionPolicy", "Bypass", "-File", script]
    else:
        command = ["bash", "-e", script]
    script.write_text("\n".join(said) + "\n", "utf-8")
    subprocess.run(command, cwd=folder, check=True)


def executed(line: str) -> list[str]:
    """In place of the line that opens the notebook: JupyterLab is there, and the notebook runs."""
    notebook = line.removeprefix("jupyter lab ")
    return ["jupyter lab --version", f"jupyter execute --inplace --allow-errors --timeout={SECONDS} {notebook}"]


def complaints(notebook: dict) -> list[str]:
    """Every error, and every visible check that does not pass; ○ says that an answer is graded later."""
    found = []
    for cell in notebook["cells"]:
        outputs = cell.get("outputs", [])
        marks = cell["metadata"].get("nbgrader", {})
        said = "".join("".join(output["text"]) for output in outputs if output["output_type"] == "stream")
        name = marks.get("grade_id", "".join(cell["source"]).partition("\n")[0])
        found += [f"{name}: {output['evalue']}" for output in outputs if output["output_type"] == "error"]
        if is_check(cell) and ("✗" in said or not set("✓○") & set(said)):
            found.append(f"{name}: the visible check said {said!r}")
    return found


def is_check(cell: dict) -> bool:
    marks = cell["metadata"].get("nbgrader", {})
    return cell["cell_type"] == "code" and marks.get("grade", False) and not marks.get("solution", False)


def main(bundle: Path, solution: Path) -> None:
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="a student ", ignore_cleanup_errors=True) as home:
        with zipfile.ZipFile(bundle) as archive:
            archive.extractall(home)
        folder = Path(home, bundle.stem)
        *install, lab = lines_for(HEADINGS[platform.system()], (folder / "START_HERE.md").read_text("utf-8"))
        notebook = folder / lab.removeprefix("jupyter lab ")
        notebook.write_bytes(solution.read_bytes())
        run_lines([*install, *executed(lab)], folder)
        done = json.loads(notebook.read_text("utf-8"))
    checks = sum(map(is_check, done["cells"]))
    problems = complaints(done)
    print(*problems, f"{checks} checks, {len(problems)} problems, {time.monotonic() - start:.0f} seconds", sep="\n")
    sys.exit(1 if problems or not checks else 0)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
