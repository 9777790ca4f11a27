"""Responses: what the outputs of an answer do when its arguments are changed, measured by calling it again.

They are facts about the answer itself, so they hold whatever its mistake is.
"""

import time
from collections.abc import Iterator, Sequence

from torch import Tensor

from course_lib.cards.observed import Mistake
from course_lib.checks.finding import Finding
from course_lib.checks.question import Outputs, Question
from course_lib.checks.student_call import call_with_other_draws, named_outputs
from course_lib.checks.trials import (
    AGAIN,
    DOUBLED,
    EXCHANGED,
    FOURFOLD,
    NEGATED,
    OTHER,
    PLUS_1,
    SAME,
    UNKNOWN,
    Trial,
    trials,
)

MOST_CALLS = 30
SECONDS = 3.0  # for a slow answer: what it takes here, others lack
PLAIN = (Tensor, int, float, str, type(None))  # a generator or a function may give something else in each call

# what becomes of "the expected y"
VERBS = {
    SAME: "does not change {}",
    DOUBLED: "doubles {}",
    FOURFOLD: "makes {} four times as large",
    NEGATED: "changes the sign of {}",
    PLUS_1: "raises every entry of {} by 1",
}
RANDOM = Mistake(
    "response/two calls",
    "Two calls with the same arguments give different outputs: yours draws random numbers, or keeps something of the "
    "call before.",
)


def responses(question: Question) -> Iterator[tuple[Trial, str, str]]:
    """What each trial makes of each output, until a call raises; if two calls alike differ, that is all there is."""
    if not all(isinstance(value, PLAIN) for value in question.arguments.values()):
        return
    try:
        before = _asked(question)
        again = call_with_other_draws(
            question.exercise, question.answer, list(question.copies().values()), question.forbidden
        )
        repeated = named_outputs(question.exercise, again, question.outputs)
        seen = [AGAIN.outcome(before[name], repeated[name]) for name in question.outputs]
        yield from ((AGAIN, name, outcome) for name, outcome in zip(question.outputs, seen, strict=True))
        if OTHER in seen or SAME not in seen:
            return
        calls = 2
        for trial in trials(question.arguments):
            concerned = any(map(trial.concerns, before.values()))
            calls += len(trial.tries) if concerned else 0
            if calls > MOST_CALLS:
                return
            seen = _tried(question, trial, before) if concerned else [UNKNOWN] * len(before)
            yield from ((trial, name, outcome) for name, outcome in zip(question.outputs, seen, strict=True))
    except Finding:
        return


def outcomes(question: Question) -> list[str]:
    """The responses without words, for a comparison with those of another answer to the same question."""
    return [outcome for _, _, outcome in responses(question)]


def different_response(question: Question, expected: Sequence[str]) -> tuple[Mistake, ...]:
    """The first response that is certain, and certainly not the expected one; no call is made after it."""
    started = time.monotonic()
    for (trial, name, mine), right in zip(responses(question) if expected else (), expected, strict=False):
        if mine != right and UNKNOWN not in (mine, right):
            if trial is AGAIN:
                return (RANDOM,) if right == SAME else ()
            return (Mistake(f"response/{trial.doing}: {name}", _sentence(trial, name, right, mine)),)
        if time.monotonic() - started > SECONDS:
            return ()
    return ()


def _asked(question: Question) -> Outputs:
    return question.ask(*question.copies().values())


def _tried(question: Question, trial: Trial, before: Outputs) -> list[str]:
    """What the trial makes of each output: something else, if one of its tries does."""
    seen: list[list[str]] = []
    for given in trial.tries:
        if not seen or SAME in seen[0]:
            after = _asked(question.with_arguments(**given))
            seen.append([trial.outcome(before[name], after[name]) for name in question.outputs])
    by_output = map(set, zip(*seen, strict=True))
    return [OTHER if OTHER in made else made.pop() if len(made) == 1 else UNKNOWN for made in by_output]


def _sentence(trial: Trial, name: str, right: str, mine: str) -> str:
    part = f"the {trial.part} of " if trial.part else ""
    expected, your = f"{part}the expected {name}", f"{part}your {name}"
    yours = "that of yours" if part else "yours"
    if right == OTHER:
        said = f"changes {expected}, but not {yours}" if mine == SAME else f"{_verb(mine, your)}, but not {expected}"
    elif mine == OTHER:
        said = f"{_verb(right, expected)}, but {'changes' if right == SAME else 'not'} {yours}"
    else:
        said = f"{_verb(right, expected)}, but {_verb(mine, yours)}"
    return f"Here, {trial.doing} {said}."


def _verb(outcome: str, of: str) -> str:
    if outcome.startswith(EXCHANGED):
        return f"exchanges the first two entries of {of} along {outcome.removeprefix(EXCHANGED)}"
    return VERBS[outcome].format(of)
