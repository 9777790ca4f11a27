"""Numbers about a class: how scores are spread, and how hard and how telling each exercise is."""

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from autograder.reports.class_report.class_results import ClassResults

BINS = 10
FEWEST = 10  # below this a correlation says nothing
LITTLE, WELL = 0.15, 0.3
NOT_BY_CHANCE = 2.0  # standard errors below zero


@dataclass(frozen=True)
class Spread:
    """`counts` of submissions in ten equal bins of the share of points; `five` are least, quartiles and most."""

    counts: tuple[int, ...]
    mean: float
    five: tuple[float, float, float, float, float]

    @property
    def size(self) -> int:
        return sum(self.counts)


@dataclass(frozen=True)
class ExerciseNumbers:
    """`share` is the mean share of the points; `discrimination` the correlation with the rest of the score."""

    exercise: str
    points: float
    graded: int
    share: float
    full: int
    discrimination: float | None
    says: str


def spread(shares: Sequence[float]) -> Spread | None:
    """None, if there is nothing to spread."""
    if not shares:
        return None
    counts = [0] * BINS
    for share in shares:
        counts[min(BINS - 1, max(0, int(share * BINS + 1e-9)))] += 1
    quartiles = statistics.quantiles(shares, n=4, method="inclusive") if len(shares) > 1 else [shares[0]] * 3
    first, median, third = quartiles
    least, low, middle, high, most = (min(1.0, max(0.0, v)) for v in (min(shares), first, median, third, max(shares)))
    return Spread(tuple(counts), statistics.fmean(shares), (least, low, middle, high, most))


def exercise_numbers(results: ClassResults) -> list[ExerciseNumbers]:
    """Every exercise in the order of the notebook; what nobody tried counts as no points, what waits does not count."""
    complete = [name for name in results.exercises if all(name in one.scores for one in results.students)]
    numbers = []
    for name in results.exercises:
        points = results.points[name]
        graded = [one for one in results.students if name in one.scores]
        own = [one.scores[name] for one in graded]
        rest = [sum(one.scores[other] for other in complete if other != name) for one in graded]
        discrimination = correlation(own, rest)
        numbers.append(
            ExerciseNumbers(
                exercise=name,
                points=points,
                graded=len(graded),
                share=statistics.fmean(own) / points if own and points else 0.0,
                full=sum(score >= points for score in own),
                discrimination=discrimination,
                says=_in_words(discrimination, own, rest),
            )
        )
    return numbers


def correlation(one: Sequence[float], other: Sequence[float]) -> float | None:
    """Pearson's; None for too few, or where one of the two does not vary."""
    if len(one) < FEWEST or len(set(one)) < 2 or len(set(other)) < 2:
        return None
    value = statistics.correlation(one, other)
    return value if math.isfinite(value) else None


def _in_words(discrimination: float | None, own: Sequence[float], rest: Sequence[float]) -> str:
    if discrimination is None:
        if not own:
            return "–"
        if len(own) < FEWEST:
            return "too few to say"
        return "all alike" if len(set(own)) < 2 else "the rest is all alike"
    if is_upside_down(discrimination, len(own)):
        return "negative discrimination: review this exercise"
    if abs(discrimination) < LITTLE:
        return "says little"
    return "may be chance" if discrimination < 0 else "tells a little" if discrimination < WELL else "tells well"


def is_upside_down(discrimination: float, count: int) -> bool:
    """Whether the weak do clearly better: by more than exercises that tell nothing show by chance."""
    return discrimination <= -LITTLE and discrimination * math.sqrt(count - 1) <= -NOT_BY_CHANCE
