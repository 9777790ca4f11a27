"""Student tests: the answer is a test, scored by the planted bugs it catches without a false alarm."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from autograder.exam_types.draw import Draw
from autograder.exam_types.exam import Criterion, Exam
from course_lib.cards.observed import Mistake
from course_lib.checks import Finding
from course_lib.checks.answer_forms.bug_hunts import Outcome, run_test
from course_lib.checks.crashes import explain_crash

# What no test can learn anything from, by how it asks an implementation.
_NOTHING_ASKED = {
    "never": "your test never calls the implementation it is given",
    "alike": "your test passes the same numbers in the calls that it compares: was a tensor changed that both share?",
}


@dataclass(frozen=True)
class Bug:
    """A planted bug, and a description that may be shown to the student who missed it."""

    description: str
    implementation: Callable


@dataclass(frozen=True)
class NoFalseAlarm(Criterion):
    """Correct implementations pass; a test that lets every bug pass too is no test, and earns nothing."""


@dataclass(frozen=True)
class BugsCaught(Criterion):
    """The share of planted bugs caught, and nothing after a false alarm."""


@dataclass(frozen=True, kw_only=True)
class StudentTestsExam(Exam[NoFalseAlarm | BugsCaught]):
    """`correct` are right implementations in several styles, `bugs` wrong ones, `test` is the course's own test."""

    test: Callable[[Callable], object]
    correct: Sequence[Callable]
    bugs: Sequence[Bug]

    @property
    def reference(self) -> Callable[[Callable], object]:
        return self.test

    def examine(self, answer: object, criterion: NoFalseAlarm | BugsCaught, draw: Draw) -> None:
        seed = int(draw.uniform(0, 2**31))
        outcomes = self._outcomes(answer, seed, draw)
        on_correct, on_bugs = outcomes[: len(self.correct)], outcomes[len(self.correct) :]
        false_alarm = next((outcome for outcome in on_correct if outcome.alarm or outcome.crash), None)
        caught = sum(outcome.alarm for outcome in on_bugs)
        if false_alarm:
            happened = "stops with an error of its own" if false_alarm.crash else "gives a false alarm"
            if false_alarm.error:
                happened = "passes what leads to an error inside, and so gives a false alarm,"
            consequence = ", so no bug it catches counts" if isinstance(criterion, BugsCaught) else ""
            raise Finding(
                f"{happened} on a correct implementation ({false_alarm.message})",
                f"it to pass{consequence}",
                where=self.exercise,
                detail=_NOTHING_ASKED.get(false_alarm.asked, ""),
                mistakes=_explained(false_alarm) or self._same_outcomes(outcomes, seed),
            )
        if caught == len(self.bugs) or (caught and isinstance(criterion, NoFalseAlarm)):
            return
        slipped = [
            bug.description + (f" (your test itself failed on it, {outcome.message})" if outcome.crash else "")
            for bug, outcome in zip(self.bugs, on_bugs, strict=True)
            if not outcome.alarm
        ]
        raise Finding(
            f"{len(slipped)} of {len(self.bugs)} planted bugs slip through",
            detail=_NOTHING_ASKED.get(on_bugs[0].asked, "") or "; ".join(slipped),
            share=caught / len(self.bugs),
            mistakes=self._same_outcomes(outcomes, seed),
        )

    def card(self) -> dict:
        return {"kind": "student tests"}

    def _outcomes(self, test: object, seed: int, draw: Draw) -> list[Outcome]:
        """One for each implementation, asked in random order and with the same random numbers for each."""
        implementations = self._implementations
        outcomes = {}
        for place in draw.normal(len(implementations)).argsort().tolist():
            outcomes[place] = run_test(self.exercise, test, implementations[place], seed)
        return [outcomes[place] for place in range(len(implementations))]

    @property
    def _implementations(self) -> list[Callable]:
        return [*self.correct, *(bug.implementation for bug in self.bugs)]

    def _same_outcomes(self, outcomes: Sequence[Outcome], seed: int) -> tuple[Mistake, ...]:
        """The known weak test that gives the alarm for the same implementations."""
        for misconception in self.misconceptions:
            theirs = (run_test(self.exercise, misconception.answer, one, seed) for one in self._implementations)
            if all(one.is_like(two) for one, two in zip(outcomes, theirs, strict=True)):
                return (self.mistake(misconception),)
        return ()


def _explained(outcome: Outcome) -> tuple[Mistake, ...]:
    """What an error in the test's own code means."""
    error, _, message = outcome.message.partition(": ")
    explanation = explain_crash(error, message, outcome.line, {}) if outcome.crash else None
    return (explanation,) if explanation else ()
