"""Audit an exam: known mistakes must lose points and be diagnosed, accepted answers must get full points."""

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from autograder.exam_types import ChooseExam
from autograder.exam_types.exam import Answer, Exam
from autograder.exam_types.verdict import Verdict
from course_lib.cards.observed import Mistake

# With fewer known answers, passing the audit says little about an exam.
FEWEST_MISCONCEPTIONS = 5
FEWEST_ACCEPTED = 4
# Seeds draw the hidden inputs: many for the reference, where a failure costs an honest student points.
REFERENCE_SEEDS = 200
ANSWER_SEEDS = 10


@dataclass(frozen=True)
class Tally:
    """The number of trials, and a sentence about each that failed."""

    total: int
    problems: tuple[str, ...] = ()

    @property
    def full(self) -> bool:
        return not self.problems

    def __str__(self) -> str:
        return f"{self.total - len(self.problems)}/{self.total}"


@dataclass(frozen=True)
class ExerciseAudit:
    """A trial of a misconception or an accepted answer passes only if it does so with every seed."""

    exercise: str
    caught: Tally
    diagnosed: Tally
    accepted: Tally
    seeds: Tally
    blank: Tally
    shortcuts: Tally

    @property
    def _tallies(self) -> tuple[Tally, ...]:
        return (self.caught, self.diagnosed, self.accepted, self.seeds, self.blank, self.shortcuts)

    @property
    def sound(self) -> bool:
        """Whether every trial passed."""
        return all(tally.full for tally in self._tallies)

    @property
    def large_enough(self) -> bool:
        """Whether the exam lists enough answers for the audit to be meaningful."""
        return self.caught.total >= FEWEST_MISCONCEPTIONS and self.accepted.total >= FEWEST_ACCEPTED

    @property
    def complete(self) -> bool:
        return self.sound and self.large_enough

    @property
    def problems(self) -> tuple[str, ...]:
        """Failed trials, and shortages of misconceptions or accepted answers."""
        problems = [problem for tally in self._tallies for problem in tally.problems]
        for what, tally, fewest in (
            ("misconceptions", self.caught, FEWEST_MISCONCEPTIONS),
            ("accepted answers", self.accepted, FEWEST_ACCEPTED),
        ):
            if tally.total < fewest:
                problems.append(f"number of {what}: {tally.total}, expected at least {fewest}: write more")
        return tuple(problems)


@dataclass(frozen=True)
class _WrongAnswer:
    """A wrong answer, and the mistakes that its verdict must name."""

    name: str
    answer: object
    mistakes: tuple[Mistake, ...]


def audit_exam(exam: Exam, seeds: int = REFERENCE_SEEDS) -> ExerciseAudit:
    """Grade every misconception, accepted answer and shortcut, the reference with `seeds` seeds, and a blank answer."""
    wrong = [(answer, _grades(exam, answer.answer, ANSWER_SEEDS)) for answer in _wrong_answers(exam)]
    accepted = [_grades(exam, answer, ANSWER_SEEDS) for answer in exam.accepted]
    reference = _grades(exam, exam.reference, seeds)
    shortcuts = [_grades(exam, answer, ANSWER_SEEDS) for answer in exam.shortcuts]
    blank = exam.grade(blank_answer(exam))
    return ExerciseAudit(
        exam.exercise,
        caught=_tally(
            (f"{answer.name} loses no points", [seed for seed, verdict in enumerate(verdicts) if _is_full(verdict)])
            for answer, verdicts in wrong
        ),
        diagnosed=_tally(
            (
                f"{answer.name} is not what the diagnosis says",
                [seed for seed, verdict in enumerate(verdicts) if not _is_named(verdict, answer)],
            )
            for answer, verdicts in wrong
        ),
        accepted=_tally(
            (f"accepted answer {number} loses points", _losing_seeds(verdicts))
            for number, verdicts in enumerate(accepted, 1)
        ),
        seeds=_tally(
            ("the reference loses points", [] if _is_full(verdict) else [seed])
            for seed, verdict in enumerate(reference)
        ),
        blank=_tally([("a blank answer gets points or counts as tried", [0] if blank.score or blank.tried else [])]),
        shortcuts=_tally(
            (
                f"shortcut {number} earns half of the points or more",
                [seed for seed, verdict in enumerate(verdicts) if verdict.score >= verdict.points / 2],
            )
            for number, verdicts in enumerate(shortcuts, 1)
        ),
    )


def blank_answer(exam: Exam) -> object:
    """The answer of a student who writes nothing, in the form of the reference."""
    if callable(exam.reference):
        return _stub()
    if isinstance(exam.reference, Mapping):
        return dict.fromkeys(exam.reference, ...)
    return ...


def _stub() -> Answer:
    """A stub as a cell defines it: one in a module of the grader would not count as a student's."""
    names: dict[str, Answer] = {}
    exec(compile("def blank(*arguments, **options): raise NotImplementedError", "<blank answer>", "exec"), names)
    return names["blank"]


def _wrong_answers(exam: Exam) -> Iterator[_WrongAnswer]:
    if isinstance(exam, ChooseExam):
        yield from _wrong_choices(exam)
    for misconception in exam.misconceptions:
        mistakes = (exam.mistake(misconception),)
        yield _WrongAnswer(f"the misconception {misconception.slug!r}", misconception.answer, mistakes)


def _wrong_choices(exam: ChooseExam) -> Iterator[_WrongAnswer]:
    """Every wrong choice; its diagnosis must hold the reason of each letter judged wrongly."""
    for size in range(1, len(exam.options) + 1):
        for chosen in itertools.combinations(exam.options, size):
            misjudged = {*chosen} ^ {*exam.reference}
            if misjudged:
                yield _WrongAnswer(f"the choice {''.join(chosen)}", chosen, exam.statements(misjudged))


def _grades(exam: Exam, answer: object, seeds: int) -> list[Verdict]:
    return [exam.grade(answer, seed) for seed in range(seeds)]


def _is_full(verdict: Verdict) -> bool:
    return verdict.score >= verdict.points


def _losing_seeds(verdicts: Sequence[Verdict]) -> list[int]:
    return [seed for seed, verdict in enumerate(verdicts) if not _is_full(verdict)]


def _is_named(verdict: Verdict, wrong: _WrongAnswer) -> bool:
    """Whether the mistake is what explains most criteria, or is what the finding itself says."""
    named = {criterion.mistakes for criterion in verdict.criteria}
    return verdict.mistakes == wrong.mistakes or (not verdict.mistakes and wrong.mistakes in named)


def _tally(trials: Iterable[tuple[str, Sequence[int]]]) -> Tally:
    """Each trial is the sentence to report if it failed, and the seeds with which it did."""
    trials = list(trials)
    problems = [
        f"{sentence}, with seed {', '.join(map(str, seeds[:3]))}{' …' if len(seeds) > 3 else ''}"
        for sentence, seeds in trials
        if seeds
    ]
    return Tally(len(trials), tuple(problems))
