"""Attention of one query whose scores were multiplied by one factor, to copy a value or to mix them all."""

import torch
from torch import Tensor

from course_lib.checks.finding import Finding
from course_lib.checks.observers.registry import observer
from course_lib.checks.observers.return_values import values
from course_lib.checks.question import Outputs, Question
from course_lib.checks.student_call import require_tensor

COPIES = (0.99, 0.9999)  # of the winner: sharp, and the factor can still be read off the other weights
MIXES = 1e-3  # from 1/n
ROUNDING = 1e-6
SINGLE_PRECISION = 1e-5


@observer("copied value")
def copied_value(question: Question) -> Outputs:
    """Whether the winner has nearly all the weight, and one factor on the scores explains the others."""
    weights, output, scores = _attention(question)
    best, low, high = int(scores.argmax()), *COPIES
    winner = weights[best].item()
    between = f"between {low} and {high}"
    length = "short" if winner < low else "long"
    factors = _factors(weights, scores, best)
    return {
        "the key with the largest weight": int(weights.argmax()),
        "the weight of the best key": between
        if low - ROUNDING <= winner <= high + ROUNDING
        else f"{winner:.6g}, so the query is too {length}",
        "the factor on the scores of all keys": _one_factor(factors, at_least=1.0),
        "output - weights @ values": _left_over(question, weights, output),
    }


@observer("mixed values")
def mixed_values(question: Question) -> Outputs:
    """Whether all weights are alike."""
    weights, output, _ = _attention(question)
    equal = (weights - 1 / len(weights)).abs().max() <= MIXES + ROUNDING
    return {
        "the weights": torch.full_like(weights, 1 / len(weights)) if equal else weights,
        "output - weights @ values": _left_over(question, weights, output),
    }


def _left_over(question: Question, weights: Tensor, output: Tensor) -> Tensor:
    """What of the output the weights do not explain: 0 where that is rounding, as in float32."""
    rest = output - weights @ question.argument("values", Tensor)
    return torch.zeros_like(rest) if rest.abs().max() <= SINGLE_PRECISION else rest


def _attention(question: Question) -> tuple[Tensor, Tensor, Tensor]:
    """The weights and the output, of the right shapes, and the scores of the query as it came."""
    returned = values(question)
    output, weights = (require_tensor(name, returned[name]).detach() for name in ("output", "weights"))
    keys, brought = question.argument("keys", Tensor), question.argument("values", Tensor)
    for name, value, shape in (("output", output, brought.shape[1:]), ("weights", weights, keys.shape[:1])):
        if value.shape != shape:
            raise Finding(f"has shape {tuple(value.shape)}", str(tuple(shape)), where=name)
    weights, output = weights.to(brought), output.to(brought)
    return weights, output, question.argument("beta", float) * keys @ question.argument("query", Tensor)


def _factors(weights: Tensor, scores: Tensor, best: int) -> Tensor:
    """For each other key, the factor on the scores that gives it the weight it has beside the best."""
    others = torch.arange(len(weights)) != best
    return (weights[best] / weights[others]).log() / (scores[best] - scores[others])


def _one_factor(factors: Tensor, at_least: float) -> str:
    low, high = factors.min().item(), factors.max().item()
    if not high - low <= 1e-3 * abs(high):
        return f"between {low:.4g} and {high:.4g}"
    return "one and the same" if low >= at_least - ROUNDING else f"{low:.4g}"
