"""A class graded while its processes are killed at random: is every submission graded exactly once, and rightly?

    PYTHONPATH=tests python -m benchmarks.kills [--kills 200] [--seed 0] [--students 8] [--longest 4] [--page]

Everyone hands in, the class is graded until a run ends by itself, everyone hands in again, until all kills are done.
The seed draws who is killed (the coordinator, a worker, the zygote or the bubblewrap around it) and how long after the
kill before, at most `--longest` seconds; what the victim does just then is the machine's.
`--page` writes the counts into docs/security.md.
"""

import argparse
import hashlib
import multiprocessing
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil
from benchmarks.security_page import write_sentence
from builders.course_command import run_course
from builders.submissions import put_submission

from autograder.classroom.directory import ClassDirectory, init_class
from autograder.classroom.release import release_unit
from autograder.course.cells import grade_id, is_answer
from autograder.course.notebooks import solution_notebook, student_notebook, write_notebook
from autograder.course.submitted_notebook import read_notebook
from autograder.course.units import find_unit
from autograder.demo.stories import fill_in
from autograder.gradebook.record_files import all_grades, open_record, recorded_students

UNIT = find_unit("00")
VICTIMS = ("coordinator", "worker", "zygote")
ZYGOTE = "sandbox.inside.zygote"  # in the command of bubblewrap, of the zygote, and of the kernels that it forks
PATIENCE = 180  # seconds for what an undisturbed run does in a few
RUNS = 60  # of one class, before it is said never to end


@dataclass
class Outcome:
    """What happened, and what went wrong, in sentences."""

    killed: Counter[str] = field(default_factory=Counter)
    runs: int = 0
    handed_in: int = 0
    given_up: int = 0
    wrong: list[str] = field(default_factory=list)
    sentences: set[str] = field(default_factory=set)


class Disturbed:
    def __init__(self, root: Path, kills: int, seed: int, students: int, longest: float):
        self._root, self._kills, self._longest = root, kills, longest
        self._draw = random.Random(seed)
        self._students = [f"student-{number}" for number in range(students)]
        self._answers = {grade_id(c): c.source for c in solution_notebook(UNIT).cells if is_answer(c)}
        self._right = _scores_by_answers(root / "quiet", self._answers)
        self._directory = _new_class(root / "disturbed")
        self._wanted: dict[str, list[tuple[str, float]]] = {student: [] for student in self._students}
        self._said = root / "said.txt"
        self._kind, self._next = "", 0.0  # who is killed next, and when
        self.outcome = Outcome()

    def run(self) -> Outcome:
        version = 0
        while self.outcome.killed.total() < self._kills and not self.outcome.wrong:
            self._hand_in(version)
            version += 1
            self._schedule()
            for _ in range(RUNS):
                if self._run_once() and self._all_graded():
                    break
            else:
                self.outcome.wrong.append(f"{RUNS} runs did not grade everyone")
            self._require_each_once()
        self._read_what_was_said()
        return self.outcome

    def _hand_in(self, version: int) -> None:
        """Another answer more than before for everyone, or none again; no two files are alike."""
        for number, student in enumerate(self._students):
            right = (number + version) % (len(self._answers) + 1)
            notebook = _with_answers(self._answers, right)
            notebook.metadata["version"] = f"{student}, {version}"
            path = put_submission(self._directory, UNIT, student, notebook)
            self._wanted[student].append((hashlib.sha256(path.read_bytes()).hexdigest(), self._right[right]))
        self.outcome.handed_in += len(self._students)

    def _schedule(self) -> None:
        self._kind, self._next = self._draw.choice(VICTIMS), time.monotonic() + self._draw.uniform(0, self._longest)

    def _run_once(self) -> bool:
        """One `course grade`; whether it ended by itself."""
        self.outcome.runs += 1
        coordinator = multiprocessing.get_context("fork").Process(target=_grade, args=(self._directory, self._said))
        coordinator.start()
        own = psutil.Process(coordinator.pid)
        last = time.monotonic()
        while coordinator.is_alive():
            coordinator.join(0.01)
            if time.monotonic() - last > PATIENCE:
                self.outcome.wrong.append(f"a run did not end within {PATIENCE} s")
                _end([own])
            elif self.outcome.killed.total() < self._kills and time.monotonic() >= self._next:
                kind, family = self._kind, _family(own)
                victims = _victims(own, family, kind)
                if victims and _kill(self._draw.choice(victims)):
                    last = time.monotonic()
                    self.outcome.killed[kind] += 1
                    self._schedule()
                    if kind == "coordinator":
                        self._require_nothing_left(family)
        coordinator.join()
        return coordinator.exitcode in (0, 1)

    def _require_nothing_left(self, family: list[psutil.Process]) -> None:
        _, left = psutil.wait_procs(family, timeout=30)
        if left:
            self.outcome.wrong.append(f"{len(left)} processes outlived their coordinator")
            _end(left)
        for student in recorded_students(self._directory, UNIT):
            open_record(self._directory, UNIT, student)
        for path in self._directory.root.glob("autograded/*/*/*.ipynb"):
            read_notebook(path.read_bytes())

    def _all_graded(self) -> bool:
        recorded = {student: self._grades(student)[-1:] for student in recorded_students(self._directory, UNIT)}
        return all(recorded.get(student) == wanted[-1:] for student, wanted in self._wanted.items())

    def _require_each_once(self) -> None:
        with self._directory.gradebook() as gradebook:
            scores = {s.student.id: s.score for s in gradebook.assignment_submissions(UNIT.full_name)}
        for student, wanted in self._wanted.items():
            if (grades := self._grades(student)) != wanted:
                self.outcome.wrong.append(f"{student} has the grades {grades}, expected {wanted}")
            if scores.get(student) != wanted[-1][1]:
                self.outcome.wrong.append(f"{student} has {scores.get(student)} points, expected {wanted[-1][1]}")

    def _grades(self, student: str) -> list[tuple[str, float]]:
        """Every grade that was recorded, oldest first: the digest of the file, and the score."""
        grades = all_grades(self._directory, UNIT, student)
        return [(record.made.parts.submission, record.result.score) for record in grades if record.made]

    def _read_what_was_said(self) -> None:
        said = self._said.read_text("utf-8")
        self.outcome.given_up = said.count("times that it was graded")
        self.outcome.sentences = {line for line in said.splitlines() if line.startswith("course:")}
        if "Traceback" in said:
            self.outcome.wrong.append(said[said.index("Traceback") :][:2000])


def _grade(directory: ClassDirectory, said: Path) -> None:
    """In a process of its own, from which everything that the command needs is inherited."""
    descriptor = os.open(said, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.dup2(descriptor, 1)
    os.dup2(descriptor, 2)
    sys.stdout, sys.stderr = (os.fdopen(number, "w", buffering=1) for number in (1, 2))
    os._exit(run_course("grade", directory.root, UNIT.id, "--workers", 2))


def _family(coordinator: psutil.Process) -> list[psutil.Process]:
    with suppress(psutil.NoSuchProcess):
        return coordinator.children(recursive=True)
    return []


def _victims(coordinator: psutil.Process, family: list[psutil.Process], kind: str) -> list[psutil.Process]:
    """The processes of a kind that run now; kernels are none of them, since their end is a student's own affair."""
    if kind == "coordinator":
        return [coordinator]
    found = []
    for process in family:
        with suppress(psutil.NoSuchProcess):
            parent = process.parent()
            of_zygote = ZYGOTE in process.cmdline()
            if kind == "worker" and parent == coordinator and process.cmdline() == coordinator.cmdline():
                found.append(process)
            if kind == "zygote" and of_zygote and parent and (parent == coordinator or parent.name() == "bwrap"):
                found.append(process)
    return found


def _kill(process: psutil.Process) -> bool:
    """Whether there was anything to kill."""
    with suppress(psutil.NoSuchProcess):
        if process.status() != psutil.STATUS_ZOMBIE:
            process.send_signal(signal.SIGKILL)
            return True
    return False


def _end(processes: list[psutil.Process]) -> None:
    for process in [child for parent in processes for child in _family(parent)] + processes:
        _kill(process)


def _new_class(root: Path) -> ClassDirectory:
    directory = init_class(root)
    release_unit(directory, UNIT)
    return directory


def _with_answers(answers: dict[str, str], count: int):
    return read_notebook(write_notebook(fill_in(student_notebook(UNIT), dict(list(answers.items())[:count]))).encode())


def _scores_by_answers(root: Path, answers: dict[str, str]) -> dict[int, float]:
    """What a submission with so many right answers gets in a class that nobody disturbs."""
    directory = _new_class(root)
    for count in range(len(answers) + 1):
        put_submission(directory, UNIT, f"{count}", _with_answers(answers, count))
    coordinator = multiprocessing.get_context("fork").Process(target=_grade, args=(directory, root / "said.txt"))
    coordinator.start()
    coordinator.join()
    return {count: open_record(directory, UNIT, f"{count}").result.score for count in range(len(answers) + 1)}


def disturb(root: Path, kills: int, seed: int, students: int = 8, longest: float = 4.0) -> Outcome:
    # imported once, and inherited by each coordinator
    import autograder.examiner.grade_submission
    import autograder.grading.grade_class  # noqa: F401

    return Disturbed(root, kills, seed, students, longest).run()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--students", type=int, default=8)
    parser.add_argument("--longest", type=float, default=4.0)
    parser.add_argument("--page", action="store_true")
    arguments = parser.parse_args()
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        outcome = disturb(Path(folder), arguments.kills, arguments.seed, arguments.students, arguments.longest)
    killed = ", ".join(f"{count} {kind}s" for kind, count in sorted(outcome.killed.items()))
    sentence = (
        f"{outcome.killed.total()} kills (seed {arguments.seed}: {killed}) in {outcome.runs} runs of `course grade` "
        f"over {outcome.handed_in} submissions: {len(outcome.wrong)} went wrong."
    )
    print(f"{sentence} {outcome.given_up} were left to the next run; {time.monotonic() - start:.0f} s.")
    for sentence in sorted(outcome.sentences):
        print(sentence)
    if outcome.wrong:
        raise SystemExit("\n".join(outcome.wrong[:20]))
    if arguments.page:
        write_sentence("kills", sentence)


if __name__ == "__main__":
    main()
