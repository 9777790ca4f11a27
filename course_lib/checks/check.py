"""`check`: the visible check of an exercise, from its card."""

from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any

import torch
from torch import Tensor

from course_lib.cards.cards import decode, read_cards
from course_lib.cards.exercise_index import ExerciseKind
from course_lib.cards.session_outcomes import Outcome, note
from course_lib.cards.shape_algebra import broken_relations
from course_lib.checks.answer_forms.bug_hunts import check_test
from course_lib.checks.answer_forms.derivations import Point, examine_rung, read_ladder, rung_title
from course_lib.checks.answer_forms.numbers import read_number, read_numbers
from course_lib.checks.answer_forms.values import read_choice, read_parts, read_sheet
from course_lib.checks.answer_forms.weight_transfer import Weight
from course_lib.checks.case import Case
from course_lib.checks.diagnosis import diagnoses
from course_lib.checks.finding import Finding, Mistake, NotWritten, Observed
from course_lib.checks.fingerprints import KnownAnswer
from course_lib.checks.result_text import Row, report_text
from course_lib.checks.side_by_side import show_side_by_side
from course_lib.checks.student_call import call
from course_lib.grading_mode import being_graded


class CheckFailed(AssertionError):
    """A visible check that did not pass; shown in a notebook as its message alone, without a traceback."""

    def _render_traceback_(self) -> list[str]:
        return str(self).splitlines()


class StubFound(CheckFailed, NotImplementedError):
    """The visible check of an answer that is still the stub."""


def check(exercise: str, answer: object) -> None:
    """Print what is right, or raise CheckFailed with what is not and where to look.

    While nbgrader grades a submission the exam says all of this and more, so the visible check stays silent.
    """
    if being_graded():
        return
    card = read_cards().get(exercise)
    if card is None:
        raise ValueError(f"there is no exercise called {exercise!r}")
    try:
        rows = _KINDS[card["kind"]](exercise, answer, card)
    except NotWritten as stub:
        note(exercise, Outcome.NOT_TRIED)
        raise StubFound(report_text(exercise, [Row("written", stub.observed)])) from None
    text = report_text(exercise, rows)
    passed = all(row.passed for row in rows)
    note(exercise, Outcome.PASSES if passed else Outcome.FAILS)
    if not passed:
        raise CheckFailed(text)
    print(text)


def _row(name: str, examine: Callable[[], object]) -> Row:
    finding = _finding(examine)
    return Row(name, finding.observed if finding else None, finding.mistakes if finding else ())


def _finding(examine: Callable[[], object]) -> Finding | None:
    try:
        examine()
    except NotWritten:
        raise
    except Finding as finding:
        if finding.compared:
            show_side_by_side(*finding.compared)
        return finding
    return None


def _rows(cases: Mapping[str, Case], examine: Callable[[str], object]) -> list[Row]:
    """A row for each case, diagnosed from all of them together."""
    found = {name: _finding(partial(examine, name)) for name in cases}
    passed = [case for name, case in cases.items() if found[name] is None]
    findings = {name: finding for name, finding in found.items() if finding}
    causes = diagnoses([*findings.values()], lambda mistakes: all(case.would_pass(mistakes) for case in passed))
    mistakes = dict(zip(findings, causes, strict=True))
    return [Row(name, finding.observed if finding else None, mistakes.get(name, ())) for name, finding in found.items()]


def _check_code(exercise: str, answer: object, card: dict) -> list[Row]:
    cases = {case["name"]: _read_case(exercise, card, case) for case in card["cases"]}
    return _rows(cases, lambda name: cases[name].examine(answer))


def _read_case(exercise: str, card: dict, case: dict) -> Case:
    def decode_all(values: dict) -> dict:
        return {name: decode(value) for name, value in values.items()}

    return Case(
        exercise=exercise,
        outputs=tuple(card["outputs"]),
        arguments=decode_all(case["arguments"]),
        expected=decode_all(case["expected"]),
        known=cache(
            lambda: [
                KnownAnswer(tuple(Mistake(**mistake) for mistake in known["mistakes"]), partial(known.get, "prints"))
                for known in case["known"]
            ]
        ),
        observe=case["observe"],
        properties=card["properties"],
        forbidden=card["forbidden"],
    )


def _check_module(exercise: str, answer: object, card: dict) -> list[Row]:
    cases = {case["name"]: _read_case(exercise, card, case) for case in card["cases"]}
    made = {case["name"]: case for case in card["cases"]}

    def examine(name: str) -> None:
        cases[name].examine_module(answer, made[name]["sizes"], _weights(made[name]))

    return _rows(cases, examine)


def _weights(case: dict) -> list[Weight] | None:
    return case["weights"] and [Weight(**weight | {"value": decode(weight["value"])}) for weight in case["weights"]]


def _check_shapes(exercise: str, answer: object, card: dict) -> list[Row]:
    try:
        sheet = read_sheet(exercise, answer, card["tensors"], card["dimensions"])
    except NotWritten:
        raise
    except Finding as finding:
        return [Row("every entry can be read", finding.observed)]
    given = {name: tuple(shape) for name, shape in card["given"].items()}
    broken = broken_relations(given | sheet, card["relations"])
    gaps = {relation: broken.get(relation.split(" = ")[0]) for relation in card["relations"]}
    return [Row(relation, Observed(gap) if gap is not None else None) for relation, gap in gaps.items()]


def _check_choice(exercise: str, answer: object, card: dict) -> list[Row]:
    name = "the answer can be read (whether it is right, you learn when it is graded)"
    return [_row(name, lambda: read_choice(exercise, answer, card["letters"]))]


def _check_counterexample(exercise: str, answer: object, card: dict) -> list[Row]:
    name = "the answer has the right form (the next cell shows whether it refutes the claim)"
    return [_row(name, lambda: read_parts(exercise, answer, card["parts"]))]


def _check_ladder(exercise: str, answer: object, card: dict) -> list[Row]:
    names = [rung["name"] for rung in card["rungs"]]
    try:
        ladder = read_ladder(exercise, answer, names)
    except NotWritten:
        raise
    except Finding as finding:
        return [Row("the ladder can be read", finding.observed)]

    def examine(place: int, rung: dict) -> None:
        points = [
            Point({name: decode(value) for name, value in symbols.items()}, _number(expected))
            for symbols, expected in zip(rung["points"], rung["expected"], strict=True)
        ]
        known = [(Mistake(**one["mistake"]), list(map(_number, one["values"]))) for one in rung["known"]]
        examine_rung(rung_title(place, names), ladder[place], points, lambda: known)

    return [
        _row(f"rung {place + 1}: {rung['name']}", partial(examine, place, rung))
        for place, rung in enumerate(card["rungs"])
    ]


def _number(value: float) -> Tensor:
    return torch.tensor(value, dtype=torch.float64)


def _check_student_tests(exercise: str, answer: object, card: dict) -> list[Row]:
    name = "the test takes an implementation and calls it (which bugs it catches, you learn when it is graded)"
    return [_row(name, lambda: check_test(exercise, answer))]


def _check_trained(exercise: str, answer: object, card: dict) -> list[Row]:
    name = "it can be called (how much it gets right, the next cell measures)"
    arguments = [decode(value) for value in card["arguments"]]
    return [_row(name, lambda: call(exercise, answer, arguments))]


def _check_experiment(exercise: str, answer: object, card: dict) -> list[Row]:
    def examine() -> None:
        entries = read_numbers(exercise, answer, card["numbers"])
        for name, value in entries.items():
            read_number(name if len(entries) > 1 else exercise, value)

    return [_row("the numbers can be read (whether they are right, you learn when they are graded)", examine)]


# each takes the card of its own kind
_KINDS: Mapping[str, Callable[[str, object, Any], list[Row]]] = {
    ExerciseKind.CODE: _check_code,
    ExerciseKind.MODULE: _check_module,
    ExerciseKind.SHAPES: _check_shapes,
    ExerciseKind.CHOICE: _check_choice,
    ExerciseKind.COUNTEREXAMPLE: _check_counterexample,
    ExerciseKind.DERIVATION: _check_ladder,
    ExerciseKind.EXPERIMENT: _check_experiment,
    ExerciseKind.BUG_HUNT: _check_student_tests,
    ExerciseKind.TRAINED_MODEL: _check_trained,
}
