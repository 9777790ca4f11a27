"""Run the attacks through stock nbgrader and write the table of docs/security.md.

    PYTHONPATH=tests python -m attacks.compare [NAME ...]

With names, only those attacks are run, and the other rows of the table stay as they are.
Stock nbgrader runs in a container of its own, so that an attack that succeeds reaches a copy of the class and no more.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from nbgrader.api import Gradebook

from attacks.attack import FOLDER, UNIT, Attack, as_bytes, attacks, notebook_with
from attacks.attacked_class import Canaries, new_class
from attacks.listener import listening
from attacks.outcome import outputs, secrets_and_outcries
from autograder.course.units import ROOT
from autograder.examiner.grade_submission import assignment_of, grade_submission
from autograder.sandbox.bubblewrap import bubblewrap

PAGE = ROOT / "docs" / "security.md"
BEGIN, END = "<!-- attacks -->", "<!-- end of attacks -->"
CONFIG = "c = get_config()\nc.CourseDirectory.course_id = 'class'\nc.Execute.timeout = 20\n"
LONGEST_RUN = 1_200  # seconds: one that makes nbgrader wait for ever has stopped it
FULL_MARKS = 36  # of 40: the rest is graded by a person
HARMFUL = (
    "bomb",
    "flood",
    "fill",
    "memory_outside",
    "large_",
    "slow_",
    "escape_",
    "write_kernel",
    "poison_",
    "kill_every",
    "huge_",
)
WAITS = ("pipe", "device")
LEFT = {"process": "pgrep -f left-by-an-attac[k]", "file": "find /tmp /dev/shm -name 'left-by-an-attack*'"}


def main() -> None:
    canaries, known, kept = Canaries(), attacks(), rows_by_name()
    chosen = set(sys.argv[1:] or known)
    with tempfile.TemporaryDirectory() as name, listening() as listener:
        root = Path(name).resolve()
        directory = new_class(root, canaries)
        (directory.root / "nbgrader_config.py").write_text(CONFIG)
        waiting = [attack for attack in known.values() if attack.name in chosen and not why_not_run(attack)]
        for attack in waiting:
            attack.put(directory, listener.address(attack.data))
        told, left = grade_all(root, directory.root, canaries)
        scores = stock_scores(directory.root)
        rows = []
        for attack in known.values():
            if attack.name not in chosen:
                rows.append(kept[attack.name])
                continue
            outcome = why_not_run(attack) or told.get(attack.name)
            if not outcome:
                path = directory.root / "autograded" / attack.name / UNIT.full_name / UNIT.notebook.name
                effects = secrets_and_outcries(outputs(path), canaries) + left.get(attack.name, [])
                gain = scores[attack.name] - honest_score(attack) if attack.name in scores else 0
                points = "full marks" if gain >= FULL_MARKS else f"gains {gain:g} points"
                effects = [points] * (gain > 0) + effects
                outcome = ", ".join(effects) if attack.name in scores or effects else "nothing; it is not graded"
            rows.append(f"| `{attack.name}` | {attack.tries} | nothing | {outcome or 'nothing'} |")
    write_table(rows)


def why_not_run(attack: Attack) -> str:
    """Why stock nbgrader is not asked, if it is not."""
    path = FOLDER / f"{attack.name}.py"
    if any(word in attack.name for word in HARMFUL):
        return "not run: it would harm the machine"
    if any(word in attack.name for word in WAITS):
        return "not run: whoever opens it never ends"
    if "from sandbox." in (path.read_text("utf-8") if path.exists() else ""):
        return "does not apply: no examiner outside the kernel"
    return ""


def grade_all(root: Path, folder: Path, canaries: Canaries) -> tuple[dict, dict]:
    """Stock nbgrader on all of them; one that ends the run is noted and taken out, and the rest is run again."""
    told, left = {}, {}
    while True:
        looks = "; ".join(f"echo LEFT {what}; {command}" for what, command in LEFT.items())
        script = f"{Path(sys.executable).parent}/nbgrader autograde {UNIT.full_name}; {looks}"
        box = [bubblewrap().path, "--unshare-pid", "--unshare-ipc", "--die-with-parent", "--ro-bind", "/", "/"]
        box += ["--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp", "--ro-bind", ROOT, ROOT, "--bind", root, root]
        box += ["--ro-bind", sys.prefix, sys.prefix, "--setenv", "HOME", root / "home", "--setenv", "PYTHONPATH", ROOT]
        box += ["--setenv", "COURSE_SECRET", canaries.texts["environment"], "--chdir", folder, "sh", "-c", script]
        try:
            run = subprocess.run(list(map(str, box)), capture_output=True, timeout=LONGEST_RUN)
        except subprocess.TimeoutExpired as late:
            run = late
        log, looked = (bytes(text or b"").decode("utf-8", "replace") for text in (run.stderr, run.stdout))
        tried = re.findall(rf"Converting notebook \S*?/submitted/([^/]+)/{UNIT.full_name}/", log)
        for what, shown in re.findall(r"LEFT (\w+)\n((?:(?!LEFT).*\n)*)", looked):
            marks = [line for line in shown.splitlines() if line]
            guilty = "leave_processes" if what == "process" else "leave_files"
            if marks and guilty in tried:
                left[guilty] = [f"leaves a {what} behind"]
        if not tried or "z-neighbour" in tried:
            return told, left
        told[tried[-1]] = "stops the grading of the whole class"
        shutil.rmtree(folder / "submitted" / tried[-1])
        print("stopped by", tried[-1], flush=True)


def stock_scores(folder: Path) -> dict[str, float]:
    with Gradebook(f"sqlite:///{folder}/gradebook.db", "class") as gradebook:
        return {
            submission.student.id: submission.score
            for submission in gradebook.assignment_submissions(UNIT.full_name)
            if (folder / "autograded" / submission.student.id / UNIT.full_name / UNIT.notebook.name).exists()
        }


def honest_score(attack: Attack) -> float:
    if not attack.honest:
        return 0
    graded = grade_submission(as_bytes(notebook_with(attack.honest)), assignment_of(UNIT), seed="")
    return sum(verdict.score for verdict in graded.verdicts.values() if verdict)


def rows_by_name() -> dict[str, str]:
    table = PAGE.read_text("utf-8").partition(BEGIN)[2].partition(END)[0]
    return {row.split("`")[1]: row for row in table.splitlines() if row.startswith("| `")}


def write_table(rows: list[str]) -> None:
    before, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    ran = [row for row in rows if "not run" not in row and "does not apply" not in row]
    succeeded = [row for row in ran if not re.search(r"\| nothing[^|]*\|$", row)]
    count = f"{len(rows)} attacks, of which 0 succeed. Stock nbgrader was given {len(ran)}: {len(succeeded)} succeed."
    head = "| attack | what it tries | here | stock nbgrader |\n|:--|:--|:--|:--|"
    PAGE.write_text("\n".join([before + BEGIN, count, "", head, *rows, END + after]), "utf-8")


if __name__ == "__main__":
    main()
