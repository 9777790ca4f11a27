"""Properties that an output must have whatever its exact values: a failing one says more than a number."""

from torch import Tensor

from course_lib.checks.finding import Finding


def rows_sum_to_one(name: str, value: Tensor) -> None:
    """Attention weights of one query are a distribution over the keys."""
    sums = value.sum(-1)
    wrong = (sums - 1).abs() > 1e-3
    if wrong.any():
        row = wrong.nonzero()[0].tolist()
        hint = "is the softmax over the last dimension (the keys)?" if _sums_to_one_elsewhere(value) else ""
        raise Finding(f"sums to {sums[tuple(row)].item():.3g}", "1", hint, where=f"{name}{row}")


def _sums_to_one_elsewhere(value: Tensor) -> bool:
    """Whether it is a softmax over another dimension; a constant may sum to 1 along any."""
    others = (value.sum(axis) for axis in range(value.ndim - 1) if value.shape[axis] > 1)
    return bool((value != value.flatten()[0]).any()) and any(bool(((sums - 1).abs() < 1e-3).all()) for sums in others)


def sines_and_cosines(name: str, value: Tensor) -> None:
    """A sine or a cosine lies between −1 and 1; it is nan when its angle is infinite."""
    wrong = ~(value.abs() <= 1 + 1e-3)
    if wrong.any():
        place = wrong.nonzero()[0].tolist()
        found = value[tuple(place)].item()
        hint = "is it really a sine or a cosine?" if found == found else "is its angle infinite, or 0/0?"
        raise Finding(f"is {found:.3g}", "a number between −1 and 1", hint, where=f"{name}{place}")


PROPERTIES = {"rows sum to one": rows_sum_to_one, "sines and cosines": sines_and_cosines}
