"""Audit the explanations of exceptions: each answer of the bank must get the one that is true of it."""

from collections.abc import Iterable

from autograder.authoring.audit.audit import Tally
from autograder.authoring.audit.crash_bank import CRASHES
from autograder.authoring.audit.crash_bank.crash import Crash
from autograder.exams import EXAMS

SEED = 1


def audit_crashes(crashes: Iterable[Crash] = CRASHES) -> Tally:
    """Grade each with its exam, and look for the explanation among what is named."""
    crashes = tuple(crashes)
    problems = []
    for crash in crashes:
        named = explanations(crash)
        if crash.id not in named:
            found = ", ".join(sorted(named)) or "nothing"
            problems.append(f"{crash.exercise}: an answer that raises is explained by {found}, expected {crash.id}")
    return Tally(len(crashes), tuple(problems))


def explanations(crash: Crash) -> set[str]:
    """The ids of all that the verdict names."""
    verdict = EXAMS[crash.exercise].grade(crash.answer(), SEED)
    return {mistake.id for criterion in verdict.criteria for mistake in criterion.mistakes}
