"""What exams of code and of modules share: the marks of known mistakes, and a case as numbers on a card."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from typing import Any

from course_lib.cards.cards import DECIMALS, encode
from course_lib.cards.observed import Kind
from course_lib.checks import Finding
from course_lib.checks.case import Case
from course_lib.checks.evidence import Mistakes
from course_lib.checks.fingerprints import (
    Known,
    fingerprints_of_finding,
    fingerprints_of_outputs,
    same_fingerprints,
)
from course_lib.checks.question import Outputs


def fingerprints_of(known: Iterable[tuple[Mistakes, object]], observe: Callable[[Any], Outputs]) -> Known:
    """For each mistake, the fingerprints of what is observed of it."""

    def prints_of(answer: object) -> dict[str, list]:
        try:
            return fingerprints_of_outputs(observe(answer))
        except Finding as finding:
            return fingerprints_of_finding(finding.observed)

    return [(mistakes, prints_of(answer)) for mistakes, answer in known]


def case_card(case: Case) -> dict:
    """A case as plain JSON: fixed arguments, what is expected, and the marks of the mistakes that show in it."""
    right = fingerprints_of_outputs(case.expected)
    known = case.known()
    silent = {mistakes for mistakes, prints in known if same_fingerprints(prints, right)}
    return {
        "observe": case.observe,
        "arguments": encode_all(case.arguments),
        "expected": encode_all(case.expected),
        "known": [
            {
                "mistakes": [asdict(mistake) for mistake in mistakes],
                "prints": {name: _rounded(marks) for name, marks in prints.items()},
            }
            for mistakes, prints in known
            # what Python says of an error differs between versions
            if mistakes not in silent and Kind.RAISED not in prints.get("", ())
        ],
    }


def encode_all(values: Mapping[str, object]) -> dict:
    return {name: encode(value) for name, value in values.items()}


def _rounded(marks: list) -> list:
    return [round(mark, DECIMALS) + 0.0 if isinstance(mark, float) else mark for mark in marks]
