"""A beta that is right to one part in a thousand, as a search finds it."""

import torch
from torch import Tensor

from course_lib.checks.answer_forms.numbers import read_number
from course_lib.checks.observers.registry import observer
from course_lib.checks.observers.return_values import values
from course_lib.checks.question import Outputs, Question

CLOSE = 1e-3


@observer("beta to a thousandth")
def beta_to_a_thousandth(question: Question) -> Outputs:
    """The beta returned, or the exact one where it is close enough to that."""
    beta = read_number("beta", values(question)["beta"])
    exact = _exact_beta(question.argument("scores", Tensor), question.argument("p", float))
    close = abs(beta - exact) <= CLOSE * exact
    return {"beta": torch.tensor(exact if close else beta), "whether beta is right to a thousandth": close}


def _exact_beta(scores: Tensor, p: float) -> float:
    """By bisection of the interval that begins where the winner's weight is below p."""
    gaps = (scores - scores.max()).double()
    low, high = 0.0, 1.0
    while (high * gaps).softmax(0).max() < p:
        low, high = high, 2 * high
    for _ in range(60):
        tried = low + (high - low) / 2
        low, high = (tried, high) if (tried * gaps).softmax(0).max() < p else (low, tried)
    return high
