"""The variance of a dot product: derived line by line."""

import math
from functools import cache

import torch
from torch import Tensor

from autograder.exam_types import LadderExam, Rung, RungCriterion, Slip
from autograder.exam_types.draw import Arguments, Draw

MEAN, TERM, SCORE = "mean of one term", "variance of one term", "variance of the score"
SCALED, DIVISOR = "variance of score / √d_k", "divisor that gives variance 1"


def _point(draw: Draw) -> Arguments:
    d_k = draw.sizes(1)[0]
    heads = int(draw.uniform(2, 5))
    return [draw.uniform(0.4, 0.8), draw.uniform(1.3, 2.2), d_k, heads * d_k]


def _all_scores(sigma_q: float, sigma_k: float, d_k: int) -> Tensor:
    """Every score, each as likely as the others, when the entries are ±sigma by the toss of a coin."""
    return sigma_q * sigma_k * _sums_of_signs(d_k)


@cache
def _sums_of_signs(count: int) -> Tensor:
    signs = torch.cartesian_prod(*[torch.tensor([-1.0, 1.0], dtype=torch.float64)] * count)
    return signs.reshape(2**count, count).sum(-1)


def _variance(sigma_q, sigma_k, d_k, divisor: float = 1.0) -> Tensor:
    return (_all_scores(sigma_q, sigma_k, d_k) / divisor).var(correction=0)


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
    rungs=(
        Rung(MEAN, LINES[0], truth=lambda q, k, d, m: _all_scores(q, k, 1).mean()),
        Rung(TERM, LINES[1], truth=lambda q, k, d, m: _variance(q, k, 1)),
        Rung(SCORE, LINES[2], truth=lambda q, k, d, m: _variance(q, k, d)),
        Rung(SCALED, LINES[3], truth=lambda q, k, d, m: _variance(q, k, d, math.sqrt(d))),
        Rung(DIVISOR, LINES[4], truth=lambda q, k, d, m: _all_scores(q, k, d).std(correction=0)),
    ),
    draw=_point,
    criteria=(
        RungCriterion(f"rung 1: {MEAN}", 0.5, MEAN),
        RungCriterion(f"rung 2: {TERM}", 1, TERM),
        RungCriterion(f"rung 3: {SCORE}", 1, SCORE),
        RungCriterion(f"rung 4: {SCALED}", 1.5, SCALED),
        RungCriterion(f"rung 5: {DIVISOR}", 1, DIVISOR),
    ),
    slips=(
        Slip(
            MEAN,
            "multiplied-standard-deviations",
            "You multiplied the standard deviations: the mean of a product of independent numbers is the product of "
            "their means, and both means are 0.",
            lambda q, k, d, m: q * k,
        ),
        Slip(
            MEAN,
            "multiplied-variances",
            "You multiplied the variances: this rung asks for the mean.",
            lambda q, k, d, m: q**2 * k**2,
        ),
        Slip(
            TERM,
            "took-variance-product-product-means",
            "You took the variance of a product as the product of the means. It is E[(q k)²] − (E[q k])², and only the "
            "second part is 0.",
            lambda q, k, d, m: 0.0,
        ),
        Slip(
            TERM,
            "added-variances",
            "You added the variances: that is the variance of a sum, q_m + k_m. Here the two are multiplied.",
            lambda q, k, d, m: q**2 + k**2,
        ),
        Slip(
            TERM,
            "standard-deviation-term",
            "This is the standard deviation of one term: its variance is the square.",
            lambda q, k, d, m: q * k,
        ),
        Slip(
            SCORE,
            "treated-score-d-k-times",
            "You treated the score as d_k times one and the same term, whose variance grows with d_k². Its terms are "
            "independent, so their variances add up.",
            lambda q, k, d, m: d**2 * q**2 * k**2,
        ),
        Slip(SCORE, "still-term", "This is still one term: the score has d_k of them.", lambda q, k, d, m: q**2 * k**2),
        Slip(
            SCORE,
            "root-d-k-d-k",
            "√d_k for d_k: variances add up, standard deviations do not.",
            lambda q, k, d, m: math.sqrt(d) * q**2 * k**2,
        ),
        Slip(
            SCORE,
            "took-mean-terms",
            "You took the mean of the terms: the score is their sum.",
            lambda q, k, d, m: q**2 * k**2 / d,
        ),
        Slip(
            SCALED,
            "divided-variance-root-d-k",
            "You divided the variance by √d_k: dividing a number by c divides its variance by c².",
            lambda q, k, d, m: math.sqrt(d) * q**2 * k**2,
        ),
        Slip(
            SCALED,
            "divided-score-d-k-not",
            "You divided the score by d_k, not by √d_k: its variance then shrinks as the head gets wider.",
            lambda q, k, d, m: q**2 * k**2 / d,
        ),
        Slip(
            SCALED,
            "divided-score-root-d-model",
            "You divided the score by √d_model: it has d_k terms, so only √d_k undoes their number.",
            lambda q, k, d, m: d * q**2 * k**2 / m,
        ),
        Slip(
            SCALED,
            "variance-without-division",
            "This is the variance without the division: a constant factor c changes a variance by c².",
            lambda q, k, d, m: d * q**2 * k**2,
        ),
        Slip(
            SCALED,
            "1-right-entries-variance-1",
            "1 is right for entries of variance 1: here sigma_q and sigma_k matter too.",
            lambda q, k, d, m: 1.0,
        ),
        Slip(
            DIVISOR,
            "variance",
            "This is the variance: divide by its root, the standard deviation.",
            lambda q, k, d, m: d * q**2 * k**2,
        ),
        Slip(
            DIVISOR,
            "root-d-k-right-entries",
            "√d_k is right for entries of variance 1: here sigma_q and sigma_k matter too.",
            lambda q, k, d, m: math.sqrt(d),
        ),
        Slip(
            DIVISOR,
            "root-d-model-root-d",
            "√d_model for √d_k: the score has d_k terms, however wide the model is.",
            lambda q, k, d, m: math.sqrt(m) * q * k,
        ),
        Slip(
            DIVISOR,
            "d-k-root-d-k",
            "d_k for √d_k: the root of the variance has the root of d_k.",
            lambda q, k, d, m: d * q * k,
        ),
        Slip(
            DIVISOR,
            "took-root-sigma-q-sigma",
            "You took the root of sigma_q and sigma_k too: they stand squared in the variance, plain in its root.",
            lambda q, k, d, m: math.sqrt(d * q * k),
        ),
    ),
    accepted=(
        LINES,
        dict(zip((MEAN, TERM, SCORE, SCALED, DIVISOR), LINES, strict=True)),
        (
            lambda a, b, c, d: torch.zeros(()),
            lambda a, b, c, d: (a * b) ** 2,
            lambda a, b, c, d: sum((a * b) ** 2 for _ in range(c)),
            lambda a, b, c, d: c * (a * b) ** 2 / math.sqrt(c) ** 2,
            lambda a, b, c, d: (c * (a * b) ** 2) ** 0.5,
        ),
        (*LINES[:4], lambda q, k, d, m: torch.tensor(d).sqrt() * q * k),
    ),
)
