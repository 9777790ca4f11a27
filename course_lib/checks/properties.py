"""Properties that an output must have whatever its exact values: a failing one says more than a number."""

from torch import Tensor

from course_lib.checks.finding import Finding


def rows_sum_to_one(name: str, value: Tensor) -> None:
    """Attention weights of one query are a distribution over the keys."""
    sums = value.sum(-1)
    wrong = (sums - 1).abs() > 1e-3
    if wrong.any():
        row = wrong.nonzero()[0].tolist()
        raise Finding(
            f"{name}{row} sums to {sums[tuple(row)].item():.3g}, expected 1: "
            "is the softmax over the last dimension (the keys)?"
        )


PROPERTIES = {"rows sum to one": rows_sum_to_one}
