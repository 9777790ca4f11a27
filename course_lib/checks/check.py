"""`check`: the visible check of an exercise, from its card."""

from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any

from course_lib.cards.cards import decode, read_cards
from course_lib.cards.exercise_index import ExerciseKind
from course_lib.cards.session_outcomes import Outcome, note
from course_lib.checks.answer_forms.weight_transfer import Weight, input_dtype, prepared
from course_lib.checks.case import Case
from course_lib.checks.diagnosis import diagnoses
from course_lib.checks.finding import Finding, Mistake, NotWritten
from course_lib.checks.fingerprints import KnownAnswer
from course_lib.checks.refusals import Asked, Refusal
from course_lib.checks.result_text import Row, outcome_of, report_text
from course_lib.checks.side_by_side import show_side_by_side
from course_lib.checks.value_rows import value_rows
from course_lib.checks.variation import examine_second_call, examine_variation
from course_lib.grading_mode import being_graded
from course_lib.notebook_display import has_front_end


class CheckFailed(AssertionError):
    """A visible check that did not pass; shown in a notebook as its message alone, without a traceback."""

    compared: tuple[str, object, object] | None = None  # what a picture may show

    def _render_traceback_(self) -> list[str]:
        return str(self).splitlines()


class StubFound(CheckFailed, NotImplementedError):
    """The visible check of an answer that is still the stub."""


def check(exercise: str, answer: object) -> None:
    """Show what is right, and what is not and where to look.

    A failure is shown to a person, so that the cells below still run; where nobody looks, it is raised. While nbgrader
    grades a submission the exam says all of this and more, so the visible check stays silent.
    """
    try:
        require_pass(exercise, answer)
    except CheckFailed as failed:
        if not has_front_end():
            raise
        print(failed)
        if failed.compared:
            show_side_by_side(*failed.compared)


def require_pass(exercise: str, answer: object) -> None:
    """Print what is right, or raise CheckFailed with what is not; what cannot be judged here is no failure."""
    if being_graded():
        return
    card = read_cards().get(exercise)
    if card is None:
        raise ValueError(f"there is no exercise called {exercise!r}")
    try:
        rows = _KINDS.get(card["kind"], value_rows)(exercise, answer, card)
    except NotWritten as stub:
        note(exercise, Outcome.NOT_TRIED)
        raise StubFound(str(stub.observed)) from None  # no ✗: nothing is wrong yet
    text, outcome = report_text(exercise, rows), outcome_of(rows)
    note(exercise, outcome)
    if outcome is Outcome.FAILS:
        failed = CheckFailed(text)
        failed.compared = next((row.compared for row in rows if row.compared), None)
        raise failed
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
        return finding
    return None


def _rows(cases: Mapping[str, Case], examine: Callable[[str], object]) -> list[Row]:
    """A row for each case, diagnosed from all of them together."""
    found = {name: _finding(partial(examine, name)) for name in cases}
    passed = [case for name, case in cases.items() if found[name] is None]
    findings = {name: finding for name, finding in found.items() if finding}
    causes = diagnoses([*findings.values()], lambda mistakes: all(case.would_pass(mistakes) for case in passed))
    mistakes = dict(zip(findings, causes, strict=True))
    return [
        Row(name, finding.observed, mistakes[name], compared=finding.compared) if finding else Row(name)
        for name, finding in found.items()
    ]


def _check_code(exercise: str, answer: object, card: dict) -> list[Row]:
    cases = {case["name"]: _read_case(exercise, card, case) for case in card["cases"]}
    varied = _read_variations(exercise, card)

    def examine(name: str) -> None:
        cases[name].examine(answer)
        for variation in varied[name]:
            examine_variation(variation, answer, cases[name])

    return _rows(cases, examine)


def _read_variations(exercise: str, card: dict) -> dict[str, list[Case]]:
    """The variations of each case, by its name."""
    return {
        case["name"]: [_read_case(exercise, card, variation | {"known": []}) for variation in case["variations"]]
        for case in card["cases"]
    }


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
        responses=lambda: case["responses"],
    )


def _check_module(exercise: str, answer: object, card: dict) -> list[Row]:
    cases = {case["name"]: _read_case(exercise, card, case) for case in card["cases"]}
    varied = _read_variations(exercise, card)
    made = {case["name"]: case for case in card["cases"]}

    def examine(name: str) -> None:
        sizes, weights, dtype = made[name]["sizes"], _weights(made[name]), input_dtype(cases[name].arguments.values())
        anew = partial(prepared, exercise, answer, sizes, weights, dtype, card["forbidden"])
        module = cases[name].examine_module(answer, sizes, weights)
        for variation in varied[name]:
            examine_variation(variation, module, cases[name], anew)
        examine_second_call(varied[name], cases[name], anew)

    refusals = (_read_refusal(exercise, refusal) for refusal in card["refusals"])
    return [*_rows(cases, examine), *(_row(name, partial(refusal.examine, answer)) for name, refusal in refusals)]


def _read_refusal(exercise: str, card: dict) -> tuple[str, Refusal]:
    def asked(side: dict) -> Asked:
        return side["sizes"], side["inputs"] and [decode(value) for value in side["inputs"]]

    return card["name"], Refusal(exercise, asked(card["allowed"]), asked(card["refused"]), card["names"])


def _weights(case: dict) -> list[Weight] | None:
    return case["weights"] and [Weight(**weight | {"value": decode(weight["value"])}) for weight in case["weights"]]


# each takes the card of its own kind; those of the other kinds have no cases
_KINDS: Mapping[str, Callable[[str, object, Any], list[Row]]] = {
    ExerciseKind.CODE: _check_code,
    ExerciseKind.MODULE: _check_module,
}
