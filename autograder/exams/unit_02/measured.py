"""The variance of a dot product, measured."""

import math

import torch

from autograder.exam_types import ExperimentExam, NumberCriterion
from autograder.exam_types.exam import Misconception

D_K = (4, 64, 256)
RAW, AFTER = tuple(f"raw {d}" for d in D_K), tuple(f"scaled {d}" for d in D_K)
RAND = 1 / 9 - 1 / 16  # the variance of a product of two numbers that are uniform between 0 and 1


def _numbers(raw, scaled) -> dict[str, float]:
    return {**dict(zip(RAW, map(raw, D_K), strict=True)), **dict(zip(AFTER, map(scaled, D_K), strict=True))}


def _meaning(name: str, number: float) -> str:
    if name in RAW:
        return "A score is a sum of d_k products of variance 1, so its variance is near d_k."
    return "Divided by √d_k, scores of every width have a variance near 1."


measured_variance = ExperimentExam(
    exercise="measured_variance",
    covers=("Bt3",),
    numbers=(*RAW, *AFTER),
    truth=_numbers(lambda d: 1.001 * d, lambda d: 1.001),  # as one measures it, not as theory has it
    theory=_numbers(float, lambda d: 1.0),
    criteria=(
        NumberCriterion(
            "without the scale", 1.5, RAW, relative=0.15, hint="Are q and k drawn with torch.randn?", reading=_meaning
        ),
        NumberCriterion(
            "divided by √d_k",
            0.5,
            AFTER,
            relative=0.15,
            hint="Divide the scores first, then measure.",
            reading=_meaning,
        ),
    ),
    misconceptions=(
        Misconception(
            "report-standard-deviations",
            "You report standard deviations; the variance is their square.",
            _numbers(math.sqrt, lambda d: 1.0),
        ),
        Misconception(
            "scores-divided-d-k-instead",
            "You divide the scores by d_k; expected √d_k.",
            _numbers(float, lambda d: 1 / d),
        ),
        Misconception(
            "scores-divided-root-512-root",
            "You divide the scores by √512, the root of d_model; expected √d_k.",
            _numbers(float, lambda d: d / 512),
        ),
        Misconception(
            "divided-variance-root-d-k",
            "You divide the variance by √d_k. Divide the scores, then measure again.",
            _numbers(float, math.sqrt),
        ),
        Misconception(
            "scores-means-over-d-k",
            "Your scores are means over the d_k terms; expected sums.",
            _numbers(lambda d: 1 / d, lambda d: 1 / d**2),
        ),
        Misconception(
            "q-k-uniform-between-0",
            "Your q and k are uniform between 0 and 1 (torch.rand). Draw them with torch.randn.",
            _numbers(lambda d: d * RAND, lambda d: RAND),
        ),
        Misconception(
            "scaled-like-raw",
            "Your scaled numbers are the raw ones. Divide the scores by √d_k before you take the variance.",
            _numbers(float, float),
        ),
        Misconception(
            "terms-not-summed",
            "Your variances are those of single products q_m k_m; a score is the sum of d_k of them.",
            _numbers(lambda d: 1.0, lambda d: 1 / d),
        ),
        Misconception(
            "queries-with-themselves",
            "Your variances are twice as large, as when each query is multiplied with itself. Draw other numbers "
            "as keys.",
            _numbers(lambda d: 2.0 * d, lambda d: 2.0),
        ),
        Misconception(
            "raw-scaled-changed-places", "Raw and scaled have changed places.", _numbers(lambda d: 1.0, float)
        ),
    ),
    accepted=(
        _numbers(lambda d: 1.04 * d, lambda d: 1.04),
        _numbers(lambda d: 0.95 * d, lambda d: 0.95),
        [3.9, 65, 251, 0.98, 1.02, 0.99],
        torch.tensor([4.1, 63.0, 258.0, 1.01, 0.99, 1.0]),
    ),
    shortcuts=(_numbers(float, lambda d: 1.0), [4, 64, 256, 1, 1, 1], [1.0] * 6, [0.0] * 6, [2, 8, 16, 1, 1, 1]),
)
