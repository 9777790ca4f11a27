"""The variance of a dot product: derived line by line."""

import math

import torch

from autograder.exam_types import LadderExam, Rung, RungCriterion, Slip
from autograder.exam_types.draw import Arguments, Draw

MEAN, TERM, SCORE = "mean of one term", "variance of one term", "variance of the score"
SCALED, DIVISOR = "variance of score / √d_k", "divisor that gives variance 1"
NAMES = (MEAN, TERM, SCORE, SCALED, DIVISOR)


def _points(draw: Draw) -> list[Arguments]:
    return [
        [draw.uniform(0.4, 0.8), draw.uniform(1.3, 2.2), d_k, heads * d_k]
        for d_k, heads in zip(draw.sizes(4), (2, 3, 4, 5), strict=True)
    ]


LINES = (
    lambda sigma_q, sigma_k, d_k, d_model: 0.0,
    lambda sigma_q, sigma_k, d_k, d_model: sigma_q**2 * sigma_k**2,
    lambda sigma_q, sigma_k, d_k, d_model: d_k * sigma_q**2 * sigma_k**2,
    lambda sigma_q, sigma_k, d_k, d_model: sigma_q**2 * sigma_k**2,
    lambda sigma_q, sigma_k, d_k, d_model: math.sqrt(d_k) * sigma_q * sigma_k,
)

dot_product_variance = LadderExam(
    exercise="dot_product_variance",
    covers=("Bt3",),
    rungs=tuple(Rung(name, line, _points) for name, line in zip(NAMES, LINES, strict=True)),
    criteria=(
        RungCriterion(f"rung 1: {MEAN}", 0.5, MEAN),
        RungCriterion(f"rung 2: {TERM}", 1, TERM),
        RungCriterion(f"rung 3: {SCORE}", 1.5, SCORE),
        RungCriterion(f"rung 4: {SCALED}", 1, SCALED),  # the same number as rung 2
        RungCriterion(f"rung 5: {DIVISOR}", 1, DIVISOR),
    ),
    slips=(
        Slip(
            MEAN,
            "multiplied-standard-deviations",
            "You multiply the standard deviations. The mean of a product of independent numbers is the product of "
            "their means, and both means are 0.",
            lambda q, k, d, m: q * k,
        ),
        Slip(
            MEAN,
            "multiplied-variances",
            "You multiply the variances; expected the mean.",
            lambda q, k, d, m: q**2 * k**2,
        ),
        Slip(
            TERM,
            "took-variance-product-product-means",
            "You take the variance of a product as the product of the means. It is E[(q k)²] − (E[q k])², and only the "
            "second part is 0.",
            lambda q, k, d, m: 0.0,
        ),
        Slip(
            TERM,
            "added-variances",
            "You add the variances, which gives the variance of the sum q_m + k_m. Here the two are multiplied.",
            lambda q, k, d, m: q**2 + k**2,
        ),
        Slip(
            TERM,
            "standard-deviation-term",
            "This is the standard deviation of one term; its variance is the square.",
            lambda q, k, d, m: q * k,
        ),
        Slip(
            SCORE,
            "treated-score-d-k-times",
            "You treat the score as d_k times one and the same term, whose variance grows with d_k². Its terms are "
            "independent, so their variances add up.",
            lambda q, k, d, m: d**2 * q**2 * k**2,
        ),
        Slip(
            SCORE,
            "still-term",
            "This is the variance of one term; the score has d_k of them.",
            lambda q, k, d, m: q**2 * k**2,
        ),
        Slip(
            SCORE,
            "root-d-k-d-k",
            "You use √d_k; expected d_k. Variances add up, standard deviations do not.",
            lambda q, k, d, m: math.sqrt(d) * q**2 * k**2,
        ),
        Slip(
            SCORE,
            "took-mean-terms",
            "This is the variance of the mean of the terms; the score is their sum.",
            lambda q, k, d, m: q**2 * k**2 / d,
        ),
        Slip(
            SCALED,
            "divided-variance-root-d-k",
            "You divide the variance by √d_k. Dividing a number by c divides its variance by c².",
            lambda q, k, d, m: math.sqrt(d) * q**2 * k**2,
        ),
        Slip(
            SCALED,
            "divided-score-d-k-not",
            "You divide the score by d_k, not by √d_k, so its variance shrinks as the head gets wider.",
            lambda q, k, d, m: q**2 * k**2 / d,
        ),
        Slip(
            SCALED,
            "divided-score-root-d-model",
            "You divide the score by √d_model. It has d_k terms, so only √d_k undoes their number.",
            lambda q, k, d, m: d * q**2 * k**2 / m,
        ),
        Slip(
            SCALED,
            "variance-without-division",
            "This is the variance without the division. A constant factor c changes a variance by c².",
            lambda q, k, d, m: d * q**2 * k**2,
        ),
        Slip(
            SCALED,
            "1-right-entries-variance-1",
            "1 is right for entries of variance 1. Here sigma_q and sigma_k matter too.",
            lambda q, k, d, m: 1.0,
        ),
        Slip(
            DIVISOR,
            "variance",
            "This is the variance. Divide by its root, the standard deviation.",
            lambda q, k, d, m: d * q**2 * k**2,
        ),
        Slip(
            DIVISOR,
            "root-d-k-right-entries",
            "√d_k is right for entries of variance 1. Here sigma_q and sigma_k matter too.",
            lambda q, k, d, m: math.sqrt(d),
        ),
        Slip(
            DIVISOR,
            "root-d-model-root-d",
            "You use √d_model; expected √d_k. The score has d_k terms, however wide the model is.",
            lambda q, k, d, m: math.sqrt(m) * q * k,
        ),
        Slip(
            DIVISOR,
            "d-k-root-d-k",
            "You use d_k; expected √d_k. The root of the variance has the root of d_k.",
            lambda q, k, d, m: d * q * k,
        ),
        Slip(
            DIVISOR,
            "took-root-sigma-q-sigma",
            "You take the root of sigma_q and sigma_k too. The variance has squares; its root has both as they are.",
            lambda q, k, d, m: math.sqrt(d * q * k),
        ),
    ),
    accepted=(
        LINES,
        dict(zip(NAMES, LINES, strict=True)),
        (
            lambda a, b, c, d: torch.zeros(()),
            lambda a, b, c, d: (a * b) ** 2,
            lambda a, b, c, d: sum((a * b) ** 2 for _ in range(c)),
            lambda a, b, c, d: c * (a * b) ** 2 / math.sqrt(c) ** 2,
            lambda a, b, c, d: (c * (a * b) ** 2) ** 0.5,
        ),
        (*LINES[:4], lambda q, k, d, m: torch.tensor(d).sqrt() * q * k),
        (lambda s_q, s_k, d, D: 0 * 0, *LINES[1:3], lambda s_q, s_k, d, D: (s_q * s_k) ** 2 * d / d, LINES[4]),
    ),
    shortcuts=(
        *([line] * 5 for line in LINES),
        [lambda *symbols: 1.0] * 5,
        [lambda q, k, d, m: d] * 5,
        [lambda q, k, d, m: math.sqrt(d)] * 5,
    ),
)
