"""What exams of code and of modules share: the marks of known mistakes, and a case as numbers on a card."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from typing import Any

from course_lib.cards.cards import DECIMALS, encode
from course_lib.cards.observed import Mistake
from course_lib.checks import Finding
from course_lib.checks.case import Case, Fingerprints
from course_lib.checks.compare import fingerprint, same_fingerprint
from course_lib.checks.question import Outputs


def fingerprints_of(
    known: Iterable[tuple[tuple[Mistake, ...], object]], observe: Callable[[Any], Outputs]
) -> list[tuple[tuple[Mistake, ...], Fingerprints]]:
    """For each answer with a known mistake, the fingerprints of what is observed of it."""
    prints: list[tuple[tuple[Mistake, ...], Fingerprints]] = []
    for mistakes, answer in known:
        try:
            outputs = observe(answer)
        except Finding:
            continue  # this mistake raises an error on these inputs, so it gives no outputs to match
        prints.append((mistakes, {name: fingerprint(value) for name, value in outputs.items()}))
    return prints


def case_card(case: Case) -> dict:
    """A case as plain JSON: fixed arguments, what is expected, and the marks of the mistakes that show in it."""
    right = {name: fingerprint(value) for name, value in case.expected.items()}
    return {
        "observe": case.observe,
        "arguments": encode_all(case.arguments),
        "expected": encode_all(case.expected),
        "known": [
            {
                "mistakes": [asdict(mistake) for mistake in mistakes],
                "prints": {name: _rounded(marks) for name, marks in prints.items()},
            }
            for mistakes, prints in case.known()
            if prints.keys() != right.keys() or not all(same_fingerprint(prints[n], right[n]) for n in right)
        ],
    }


def encode_all(values: Mapping[str, object]) -> dict:
    return {name: encode(value) for name, value in values.items()}


def _rounded(marks: list) -> list:
    return [round(mark, DECIMALS) + 0.0 if isinstance(mark, float) else mark for mark in marks]
