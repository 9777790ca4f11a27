"""The rows of a visible check for the kinds of exercise whose answer is not compared with a reference, case by case.

What can be judged without giving the answer away is judged; of the rest, a row says that it is answered.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import torch
from torch import Tensor

from course_lib.cards.cards import decode
from course_lib.cards.exercise_index import ExerciseKind
from course_lib.cards.session_outcomes import failed_tries
from course_lib.cards.sheet_rules import Judgement, judge
from course_lib.checks.answer_forms.bug_hunts import check_test, run_test
from course_lib.checks.answer_forms.derivations import Point, examine_rung, read_ladder, rung_title
from course_lib.checks.answer_forms.numbers import read_number, read_numbers
from course_lib.checks.answer_forms.values import read_choice, read_parts, read_sheet
from course_lib.checks.claims import CLAIMS, NotRefuted
from course_lib.checks.finding import Finding, Mistake, NotWritten, Observed
from course_lib.checks.measurements import MEASUREMENTS
from course_lib.checks.result_text import Row
from course_lib.checks.trained_tasks import TRAINED_TASKS, measure
from course_lib.checks.tried_models import TRIED_MODELS

UNSEEN = 200  # inputs that a trained model is measured on


def value_rows(exercise: str, answer: object, card: Any) -> list[Row]:
    """The rows; a single one about an answer that cannot be read."""
    try:
        return _KINDS[card["kind"]](exercise, answer, card)
    except NotWritten:
        raise
    except Finding as finding:
        return [Row("the answer can be read", finding.observed)]


def _later(subject: str) -> Row:
    """A row that is answered, and that the check cannot judge."""
    return Row(f"{subject} graded after you submit.", judged=False)


def _row(name: str, examine: Callable[[], object]) -> Row:
    try:
        examine()
    except NotWritten:
        raise
    except Finding as finding:
        return Row(name, finding.observed, finding.mistakes)
    return Row(name)


def _check_shapes(exercise: str, answer: object, card: dict) -> list[Row]:
    sheet = read_sheet(exercise, answer, card["tensors"], card["dimensions"])
    given = {name: tuple(shape) for name, shape in card["given"].items()}
    judgements = judge(exercise, given | sheet)
    return [_rule_row(exercise, one, given | sheet) for one in judgements if one.rule.inputs or one.clash]


def _rule_row(exercise: str, judgement: Judgement, sheet: Mapping[str, tuple[str, ...]]) -> Row:
    rule, clash = judgement.rule, judgement.clash
    if judgement.waits_for:
        return Row(f"{rule.name}: judged once {judgement.waits_for} is right", judged=False)
    if clash is None:
        return Row(rule.name)
    tries = failed_tries(exercise, rule.name, [sheet[name] for name in rule.tensors])
    return Row(rule.name, Observed(clash.says(tries)))


def _check_choice(exercise: str, answer: object, card: dict) -> list[Row]:
    chosen = "".join(sorted(read_choice(exercise, answer, card["letters"])))
    return [_later(f"Your answer is {chosen}. It is")]


def _check_counterexample(exercise: str, answer: object, card: dict) -> list[Row]:
    parts = read_parts(exercise, answer, card["parts"])
    try:
        CLAIMS[exercise](*parts)
    except NotRefuted as finding:
        known = card["mistakes"].get(finding.known)
        return [Row("your answer refutes the claim", finding.observed, [Mistake(**known)] if known else ())]
    return [Row("your answer refutes the claim")]


def _check_ladder(exercise: str, answer: object, card: dict) -> list[Row]:
    names = [rung["name"] for rung in card["rungs"]]
    ladder = read_ladder(exercise, answer, names)

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
    check_test(exercise, answer)
    if exercise not in TRIED_MODELS:
        return [_later("Your test calls what it is given. What it catches is")]
    correct, broken, bug = TRIED_MODELS[exercise]
    return [
        _row("it accepts a correct model", partial(_require_quiet, exercise, answer, correct)),
        _row(f"it catches a broken one: {bug}", partial(_require_alarm, exercise, answer, broken)),
        _later("Other bugs are planted, and what your test says of them is"),
    ]


def _require_quiet(exercise: str, test: object, correct: Callable) -> None:
    outcome = run_test(exercise, test, correct)
    if outcome.alarm or outcome.crash:
        happened = "stops with an error of its own" if outcome.crash else "gives a false alarm"
        raise Finding(f"{happened} on a correct model ({outcome.message})", "it to pass", where=exercise)


def _require_alarm(exercise: str, test: object, broken: Callable) -> None:
    outcome = run_test(exercise, test, broken)
    if outcome.crash:
        raise Finding(f"stops with an error of its own ({outcome.message})", "an alarm", where=exercise)
    if not outcome.alarm:
        raise Finding("lets this model pass", "a failed assert, or False as the result", where=exercise)


def _check_trained(exercise: str, answer: object, card: dict) -> list[Row]:
    right, example = measure(exercise, answer, TRAINED_TASKS[exercise], UNSEEN)
    rows = []
    for name, enough in card["shares"].items():
        missed = Observed(
            f"{right} of {UNSEEN} are right", f"at least {enough * UNSEEN:.0f}", f"for example, {example}"
        )
        rows.append(Row(name, None if right >= enough * UNSEEN else missed))
    return rows


def _check_experiment(exercise: str, answer: object, card: dict) -> list[Row]:
    names: Sequence[str] = card["numbers"]
    entries = read_numbers(exercise, answer, names)
    numbers = {name: read_number(name if len(names) > 1 else exercise, entries[name]) for name in names}
    if card["between"]:
        low, high = card["between"]
        outside = [f"{name} is {value:.4g}" for name, value in numbers.items() if not low <= value <= high]
        if outside:
            found = Observed("; ".join(outside), f"numbers between {low:g} and {high:g}")
            return [Row("your numbers are possible", found)]
    if exercise in MEASUREMENTS:
        rows = [_measured_row(name, numbers[name], *limits) for name, limits in MEASUREMENTS[exercise]().items()]
        if all(value.is_integer() for value in numbers.values()):
            rows.append(_later("All of your numbers are whole, which measured ones rarely are. They are"))
        return rows
    shown = ", ".join(f"{value:.4g}" for value in numbers.values())
    return [_later(f"Your answer is {shown}. It is")]


def _measured_row(name: str, number: float, low: float, high: float) -> Row:
    says = "too small" if number < low else "too large"
    observed = None if low <= number <= high else Observed(f"{name} is {number:.4g}, which is {says}")
    return Row(f"{name}: a second measurement agrees", observed)


_KINDS: Mapping[str, Callable[[str, object, Any], list[Row]]] = {
    ExerciseKind.SHAPES: _check_shapes,
    ExerciseKind.CHOICE: _check_choice,
    ExerciseKind.COUNTEREXAMPLE: _check_counterexample,
    ExerciseKind.DERIVATION: _check_ladder,
    ExerciseKind.EXPERIMENT: _check_experiment,
    ExerciseKind.BUG_HUNT: _check_student_tests,
    ExerciseKind.TRAINED_MODEL: _check_trained,
}
