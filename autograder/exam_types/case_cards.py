"""What exams of code and of modules share: the marks of known mistakes, and a case as numbers on a card."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from functools import partial
from typing import Any

from torch import Tensor

from course_lib.cards.cards import DECIMALS, decode, encode
from course_lib.cards.observed import Kind
from course_lib.checks import Finding
from course_lib.checks.case import Case
from course_lib.checks.evidence import Mistakes
from course_lib.checks.fingerprints import (
    Fingerprints,
    Known,
    KnownAnswer,
    fingerprints_of_finding,
    fingerprints_of_outputs,
    would_pass,
)
from course_lib.checks.question import Outputs, Question
from course_lib.checks.responses import outcomes


def known_answers(known: Iterable[tuple[Mistakes, object]], observe: Callable[[Any], Outputs]) -> Known:
    """The known mistakes with what is observed of them."""

    def fingerprints_of(answer: object) -> Fingerprints:
        try:
            return fingerprints_of_outputs(observe(answer))
        except Finding as finding:
            return fingerprints_of_finding(finding.observed)

    return [KnownAnswer(mistakes, partial(fingerprints_of, answer)) for mistakes, answer in known]


def expected_responses(observe: str, question: Question) -> list[str]:
    """How the reference responds to other arguments; nothing where more is looked at than what it returns."""
    return outcomes(question) if observe == "values" else []


def case_card(case: Case, variations: Iterable[Case]) -> dict:
    """A case as plain JSON: fixed arguments, what is expected, and the marks of the mistakes that show in it.

    Its variations have no marks: who fails there is right on the usual inputs, so no known mistake was made.
    """
    right = fingerprints_of_outputs(case.expected)
    known = case.known()
    silent = {each.mistakes for each in known if would_pass(each.fingerprints, right)}
    return _question_card(case) | {
        "variations": [_question_card(variation) for variation in variations],
        "known": [
            {
                "mistakes": [asdict(mistake) for mistake in each.mistakes],
                "prints": {name: _rounded(marks) for name, marks in each.fingerprints.items()},
            }
            for each in known
            # what Python says of an error differs between versions
            if each.mistakes not in silent and Kind.RAISED not in each.fingerprints.get("", ())
        ],
    }


def _question_card(case: Case) -> dict:
    return {
        "observe": case.observe,
        "arguments": encode_all(case.arguments),
        "expected": encode_all(case.expected),
        "responses": case.responses(),
    }


def as_kept(inputs: Iterable[object]) -> list[object]:
    """The inputs as a card keeps them, rounded: what is expected is computed from these."""
    return [decode(encode(value)) if isinstance(value, Tensor) else value for value in inputs]


def encode_all(values: Mapping[str, object]) -> dict:
    return {name: encode(value) for name, value in values.items()}


def _rounded(marks: list) -> list:
    return [round(mark, DECIMALS) + 0.0 if isinstance(mark, float) else mark for mark in marks]
