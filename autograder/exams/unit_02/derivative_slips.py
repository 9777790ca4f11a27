"""Known slips in the derivation of the softmax gradient, each at one rung."""

from collections.abc import Callable

from autograder.exam_types import Slip

NUMERATOR_OF_SAME, NUMERATOR_OF_OTHER = "u', i = j", "v'"
SAME, SAME_QUOTIENT, SAME_IN_Y = "numerator, i = j", "quotient, i = j", "in y, i = j"
OTHER, OTHER_IN_Y, SHARPENED = "numerator, i ≠ j", "in y, i ≠ j", "softmax of beta x"

PIECES, AFTER, NEARLY = "the four pieces", "after the quotient rule", "nearly there"
NOT_IN_Y = "This line is in y already; expected e and S, before anything is divided."
NOT_DIVIDED = "This line is in y already; expected e and S, as the quotient rule gives it."
STILL_E = "This line is still in e and S; expected y only."
SUMMED_ANEW = "You compute the sum of e yourself. Use S, which is handed in with a value of its own."
DIVIDED_ALREADY = "You divide already; expected the numerator alone, u′v − u v′."


def _in_e(formula: Callable) -> Callable:
    """A line from a formula of e_i, e_j and S."""
    return lambda e, S, y, i, j: formula(e[i], e[j], S)


def _in_y(formula: Callable) -> Callable:
    """A line from a formula of y_i and y_j."""
    return lambda e, S, y, i, j: formula(y[i], y[j])


def _sharpened(formula: Callable) -> Callable:
    """A line from a formula of y_i, y_j, delta and beta."""
    return lambda e, S, y, i, j, beta: formula(y[i], y[j], float(i == j), beta)


def _slips_in_e(rung: str, formula: Callable, in_y: Callable) -> tuple[Slip, ...]:
    """The line in the other symbols, and with a sum of its own for S."""
    own_sum = Slip(rung, "summed-anew", SUMMED_ANEW, lambda e, S, y, i, j: formula(e[i], e[j], e.sum()), PIECES)
    says = NOT_DIVIDED if rung == SAME_QUOTIENT else NOT_IN_Y
    slug = "in-y-not-divided" if rung == SAME_QUOTIENT else "in-y-already"
    return own_sum, Slip(rung, slug, says, _in_y(in_y), PIECES)


SLIPS = (
    Slip(
        NUMERATOR_OF_SAME,
        "one",
        "The derivative of e^{x_i} by x_i is e^{x_i}, not 1.",
        _in_e(lambda a, b, s: 1.0),
        PIECES,
    ),
    Slip(
        NUMERATOR_OF_SAME,
        "u-prime-zero",
        "For i = j the numerator contains x_j, so u′ is not 0.",
        _in_e(lambda a, b, s: 0.0),
        PIECES,
    ),
    Slip(
        NUMERATOR_OF_SAME,
        "whole-sum",
        "You return S; expected the derivative of u = e_i.",
        _in_e(lambda a, b, s: s),
        PIECES,
    ),
    Slip(NUMERATOR_OF_SAME, "in-y-already", NOT_IN_Y, _in_y(lambda y, z: y), PIECES),
    Slip(NUMERATOR_OF_SAME, "in-y-already", NOT_IN_Y, _in_y(lambda y, z: y * (1 - y)), PIECES),
    Slip(
        NUMERATOR_OF_OTHER,
        "took-s-own-derivative",
        "You take S for its own derivative. One term of the sum contains x_j, so ∂S/∂x_j is e_j.",
        _in_e(lambda a, b, s: s),
        PIECES,
    ),
    Slip(
        NUMERATOR_OF_OTHER,
        "differentiated-s-x-i",
        "You differentiate S by x_i; by x_j it is e_j.",
        _in_e(lambda a, b, s: a),
        PIECES,
    ),
    Slip(
        NUMERATOR_OF_OTHER,
        "v-prime-zero",
        "You keep S fixed, but S contains e^{x_j} too, so v′ is not 0.",
        _in_e(lambda a, b, s: 0.0),
        PIECES,
    ),
    Slip(NUMERATOR_OF_OTHER, "in-y-already", NOT_IN_Y, _in_y(lambda y, z: z), PIECES),
    Slip(
        SAME,
        "kept-s-fixed",
        "You keep S fixed, but S contains e^{x_i} too, so the second term − u v′ is missing.",
        _in_e(lambda a, b, s: a * s),
        PIECES,
    ),
    Slip(
        SAME,
        "plus-minus",
        "You have a plus for a minus: the quotient rule is (u′v − u v′)/v².",
        _in_e(lambda a, b, s: a * s + a * a),
        NEARLY,
    ),
    Slip(
        SAME,
        "two-terms-wrong-way-round",
        "The two terms are the wrong way round: u′v comes first, then − u v′.",
        _in_e(lambda a, b, s: a * a - a * s),
        NEARLY,
    ),
    Slip(
        SAME,
        "took-s-own-derivative-x-i",
        "You take S for its own derivative. Only one term of the sum contains x_i, so ∂S/∂x_i is e_i.",
        _in_e(lambda a, b, s: a * s - a * s),
        PIECES,
    ),
    Slip(SAME, "divided-already", DIVIDED_ALREADY, _in_e(lambda a, b, s: (a * s - a * a) / s**2), AFTER),
    *_slips_in_e(SAME, lambda a, b, s: a * s - a * a, lambda y, z: y * (1 - y)),
    Slip(
        SAME_QUOTIENT,
        "kept-s-fixed",
        "You keep S fixed, but S contains e^{x_i} too, so the second term − u v′ is missing.",
        _in_e(lambda a, b, s: a / s),
        PIECES,
    ),
    Slip(
        SAME_QUOTIENT,
        "plus-minus",
        "You have a plus for a minus: the quotient rule is (u′v − u v′)/v².",
        _in_e(lambda a, b, s: (a * s + a * a) / s**2),
        NEARLY,
    ),
    Slip(
        SAME_QUOTIENT,
        "divide-s-quotient-rule-divides",
        "You divide by S; the quotient rule divides by its square.",
        _in_e(lambda a, b, s: (a * s - a * a) / s),
        AFTER,
    ),
    Slip(
        SAME_QUOTIENT,
        "not-divided",
        "This is the numerator; divide it by v² = S².",
        _in_e(lambda a, b, s: a * s - a * a),
        AFTER,
    ),
    Slip(
        SAME_QUOTIENT,
        "divided-only-s-s",
        "You divide only S by S. In (S − e_i)/S the term e_i is divided too.",
        _in_e(lambda a, b, s: a / s * (1 - a)),
        AFTER,
    ),
    *_slips_in_e(SAME_QUOTIENT, lambda a, b, s: (a * s - a * a) / s**2, lambda y, z: y * (1 - y)),
    Slip(
        SAME_IN_Y,
        "factor-y-i-lost",
        "The factor y_i is missing: e_i/S in front is y_i.",
        _in_y(lambda y, z: 1 - y),
        AFTER,
    ),
    Slip(
        SAME_IN_Y,
        "s-s-1-not-y",
        "S/S is 1, not y_i: (S − e_i)/S = 1 − y_i.",
        _in_y(lambda y, z: y * y * (1 - y)),
        AFTER,
    ),
    Slip(
        SAME_IN_Y,
        "minus-became-plus",
        "The minus became a plus: (S − e_i)/S = 1 − y_i.",
        _in_y(lambda y, z: y * (1 + y)),
        AFTER,
    ),
    Slip(
        SAME_IN_Y,
        "other-case",
        "This is the case i ≠ j. For i = j the numerator contains x_j, so the 1 stays: y_i (1 − y_i).",
        _in_y(lambda y, z: -y * z),
        PIECES,
    ),
    Slip(SAME_IN_Y, "still-e", STILL_E, _in_e(lambda a, b, s: a / s * (1 - a / s)), AFTER),
    Slip(
        OTHER,
        "numerator-e-i-not-contain",
        "The numerator e_i does not contain x_j: for i ≠ j its derivative u′ is 0.",
        _in_e(lambda a, b, s: a * s - a * b),
        PIECES,
    ),
    Slip(
        OTHER,
        "minus-quotient-rule-lost",
        "The minus of the quotient rule is missing: 0 · v − u v′.",
        _in_e(lambda a, b, s: a * b),
        NEARLY,
    ),
    Slip(
        OTHER,
        "differentiated-s-x-i",
        "You differentiate S by x_i; by x_j it is e_j.",
        _in_e(lambda a, b, s: -a * a),
        PIECES,
    ),
    Slip(
        OTHER,
        "put-u-0-dropped-u",
        "You set u′ = 0 and dropped u v′ with it, but S contains x_j.",
        _in_e(lambda a, b, s: 0.0),
        PIECES,
    ),
    Slip(OTHER, "divided-already", DIVIDED_ALREADY, _in_e(lambda a, b, s: -a * b / s**2), AFTER),
    Slip(OTHER, "in-y-already", NOT_IN_Y, _in_y(lambda y, z: -y * z), PIECES),
    Slip(OTHER_IN_Y, "sign-lost", "The minus is missing: raising x_j lowers y_i.", _in_y(lambda y, z: y * z), NEARLY),
    Slip(
        OTHER_IN_Y,
        "case-i-j-again",
        "This is the case i = j. For i ≠ j nothing is left of u′v, so there is no 1.",
        _in_y(lambda y, z: y * (1 - z)),
        PIECES,
    ),
    Slip(
        OTHER_IN_Y,
        "case-i-j-again",
        "This is the case i = j. For i ≠ j nothing is left of u′v, so there is no 1.",
        _in_y(lambda y, z: y * (1 - y)),
        PIECES,
    ),
    Slip(OTHER_IN_Y, "factor-lost", "One factor is missing: e_i e_j / S² is y_i y_j.", _in_y(lambda y, z: -y), AFTER),
    Slip(OTHER_IN_Y, "factor-lost", "One factor is missing: e_i e_j / S² is y_i y_j.", _in_y(lambda y, z: -z), AFTER),
    Slip(OTHER_IN_Y, "still-e", STILL_E, _in_e(lambda a, b, s: -a * b / s**2), AFTER),
    Slip(
        SHARPENED,
        "dropped-chain-rule",
        "The factor of the chain rule is missing: the inner derivative of beta·x_j is beta.",
        _sharpened(lambda y, z, delta, beta: y * (delta - z)),
        NEARLY,
    ),
    Slip(
        SHARPENED,
        "one-case",
        "This line is right for i ≠ j only. For i = j the factor −y_j becomes 1 − y_j.",
        _sharpened(lambda y, z, delta, beta: -beta * y * z),
        NEARLY,
    ),
    Slip(
        SHARPENED,
        "one-case-same",
        "This line is right for i = j only. For i ≠ j there is no 1.",
        _sharpened(lambda y, z, delta, beta: beta * y * (1 - z)),
        NEARLY,
    ),
    Slip(
        SHARPENED,
        "divide-beta",
        "You divide by beta; the inner derivative multiplies.",
        _sharpened(lambda y, z, delta, beta: y * (delta - z) / beta),
        NEARLY,
    ),
    Slip(
        SHARPENED,
        "beta-appears-once-too-often",
        "Beta appears once too often. x_j is inside once, so one factor beta comes out.",
        _sharpened(lambda y, z, delta, beta: beta**2 * y * (delta - z)),
        NEARLY,
    ),
    Slip(
        SHARPENED,
        "sign-lost",
        "Your signs are reversed: raising x_i raises y_i, and raising another x_j lowers it.",
        _sharpened(lambda y, z, delta, beta: beta * y * (z - delta)),
        NEARLY,
    ),
)
