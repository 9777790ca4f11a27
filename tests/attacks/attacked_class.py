"""Two classes: one with attacks and honest neighbours between them, one with the neighbours and no attack."""

import json
import os
import secrets
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from builders.submissions import put_submission
from nbformat.v4 import new_code_cell, new_markdown_cell

from attacks.attack import UNIT, Attack, as_bytes, notebook_with
from attacks.listener import Listener
from autograder.classroom.directory import ClassDirectory, init_class
from autograder.classroom.release import release_unit
from autograder.course.cells import grade_id, is_answer
from autograder.course.notebooks import solution_notebook
from autograder.demo.stories import fill_in

TIMEOUT = 5
NEIGHBOUR_AFTER = 8  # attacks
MARK = "left-by-an-attack"
# the peak of its own memory: what getrusage tells of a new process begins with the memory of its parent
GRADE = """
import sys
from autograder.cli.main import main
peak = sys.argv.pop()
try:
    main()
finally:
    (line,) = (line for line in open("/proc/self/status") if line.startswith("VmHWM:"))
    open(peak, "w").write(line.split()[1])
"""
WITNESS = (Path(__file__).parent / "witness.py").read_text("utf-8")


@dataclass(frozen=True)
class Canaries:
    """Secrets, planted where a class has them: whoever shows one has read what nobody may."""

    texts: Mapping[str, str] = field(
        default_factory=lambda: {
            place: f"canary-{place}-{secrets.token_hex(8)}"
            for place in ("gradebook", "source", "submission", "key", "home", "environment")
        }
    )

    def plant(self, directory: ClassDirectory, home: Path) -> None:
        (directory.root / "secret.key").write_text(self.texts["key"])
        source = directory.root / "source" / UNIT.full_name / UNIT.notebook.name
        text = source.read_text("utf-8")
        source.write_text(text.replace('grade(\\"', f'# {self.texts["source"]}\\n",\n"grade(\\"'), "utf-8")
        if self.texts["source"] not in source.read_text("utf-8"):
            raise ValueError("no graded cell was found in the source")
        with directory.gradebook() as gradebook:
            gradebook.add_student("someone", last_name=self.texts["gradebook"])
        home.mkdir()
        (home / "notes.txt").write_text(self.texts["home"])

    def found_in(self, text: str) -> set[str]:
        return {place for place, canary in self.texts.items() if canary in text}


@dataclass(frozen=True)
class GradedClass:
    directory: ClassDirectory
    results: Mapping[str, dict]
    printed: str
    examiner_megabytes: float


def new_class(root: Path, canaries: Canaries) -> ClassDirectory:
    """A class with one honest neighbour before all others and one after them."""
    directory = init_class(root / "class")
    release_unit(directory, UNIT)
    canaries.plant(directory, root / "home")
    put_submission(directory, UNIT, "0-neighbour", neighbour(canaries))
    put_submission(directory, UNIT, "z-neighbour", neighbour(canaries))
    return directory


def put_attacks(
    directory: ClassDirectory, attacks: Mapping[str, Attack], canaries: Canaries, listener: Listener
) -> None:
    """The attacks, in order, with an honest neighbour after every few of them."""
    for number, attack in enumerate(attacks.values(), 1):
        attack.put(directory, listener.address(attack.data))
        if number % NEIGHBOUR_AFTER == 0:
            put_submission(directory, UNIT, f"{attack.name}-neighbour", neighbour(canaries))


def neighbour(canaries: Canaries) -> bytes:
    """An honest submission with right answers, one wrong one, and a cell that looks for what attacks have left."""
    answers = {grade_id(cell): cell.source for cell in solution_notebook(UNIT).cells if is_answer(cell)}
    notebook = fill_in(notebook_with(answers), {"query_key_value_roles": 'query_key_value_roles = "AB"'})
    notebook.cells += [new_markdown_cell(canaries.texts["submission"]), new_code_cell(WITNESS)]
    return as_bytes(notebook)


def grade(directory: ClassDirectory, canaries: Canaries, seconds: float = 900) -> GradedClass:
    """`course grade` in a process of its own."""
    root = directory.root.parent
    home = {"HOME": str(root / "home"), "COURSE_SECRET": canaries.texts["environment"]}
    run = {"cwd": directory.root, "env": os.environ | home, "capture_output": True, "text": True, "timeout": seconds}
    lines, peak = root / "results.jsonl", root / "peak"
    command = [sys.executable, "-c", GRADE]
    options = ["--timeout", TIMEOUT, "--json", lines, peak]
    graded = subprocess.run([*command, *map(str, ["grade", directory.root, UNIT.id, *options])], **run)
    printed = graded.stdout + graded.stderr
    results = [json.loads(line) for line in lines.read_text("utf-8").splitlines()] if lines.exists() else []
    return GradedClass(directory, {r["student"]: r for r in results}, printed, int(peak.read_text()) / 1024)
