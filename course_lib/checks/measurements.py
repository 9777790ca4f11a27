"""Experiments that a visible check can judge because it measures again: for each number, the limits of an honest one.

The numbers are nowhere written down; trainings, and counts that take thought, are left to grading.
"""

import math
from collections.abc import Callable, Mapping

import torch
import torch.nn.functional as F
from torch import Tensor, nn

WIDTHS = (4, 64, 256)
Limits = Mapping[str, tuple[float, float]]


def _variances() -> Limits:
    """Of 40,000 scores for each width, which is exact to one percent; 15 percent are tolerated."""
    limits = {}
    draw = torch.Generator().manual_seed(0)
    for width in WIDTHS:
        scores = sum(torch.randn(2, 40_000, generator=draw).prod(0) for _ in range(width))
        for name, these in {f"raw {width}": scores, f"scaled {width}": scores / math.sqrt(width)}.items():
            variance = torch.as_tensor(these).var().item()
            limits[name] = (0.85 * variance, 1.15 * variance)
    return limits


def _largest_weights() -> Limits:
    scores, tied = torch.tensor([1.0, 2.0, 4.0, 2.0]), torch.tensor([4.0, 4.0, 1.0, 2.0])
    factors = {
        "beta = 20": 20 * scores,
        "beta = 0.001": 0.001 * scores,
        "tie, beta = 20": 20 * tied,
        "temperature = 50": scores / 50,
    }
    reach = {"tie, beta = 20": 0.01, "temperature = 50": 0.005}  # two digits; for the last one 1/4 is not near enough
    return {name: _around(x.softmax(0).max().item(), reach.get(name, 0.006)) for name, x in factors.items()}


def _threshold() -> Limits:
    """The first a at which the slope of the largest output is below a thousandth."""
    a = torch.arange(0.0, 20.0, 0.001, dtype=torch.float64)
    largest = torch.stack([a, a, 2 * a]).softmax(0)[2]
    low = (largest * (1 - largest) < 1e-3).nonzero()[0].item()
    return {"a": _around(a[int(low)].item(), 0.05)}


def _position_products() -> Limits:
    """A pair of a sine and a cosine gives cos(frequency · distance), whatever the positions."""
    frequencies = 10_000.0 ** (-torch.arange(0, 64, 2, dtype=torch.float64) / 64)
    similarity = (torch.arange(200.0)[:, None] * frequencies).cos().sum(-1)
    rise = (similarity[1:] > similarity[:-1]).nonzero()[0].item()
    pairs = ((3, 8), (103, 108), (8, 3), (7, 7))
    products = {f"PE[{p}]·PE[{q}]": _around(similarity[abs(p - q)].item(), 0.05) for p, q in pairs}
    return products | {"first rise": _around(float(rise), 0.0)}


def _changes_by_neighbors() -> Limits:
    """The notebook's experiment: how far four tokens move when padding or another sentence joins their batch."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        x = torch.randn(2, 4, 6) + 2
        neighbor = torch.stack([x[0], 3 * torch.randn(4, 6)])
        batch_norm = nn.BatchNorm1d(6)
    padded = F.pad(x, (0, 0, 0, 8))
    norms: dict[str, Callable[[Tensor], Tensor]] = {
        "batch_norm": lambda y: batch_norm(y.flatten(0, 1)).reshape(y.shape),
        "layer_norm": lambda y: F.layer_norm(y, (6,)),
    }
    with torch.no_grad():
        return {
            f"{kind}, {joins}": _around((norm(y)[0, :4] - norm(x)[0]).abs().mean().item(), 0.02)
            for joins, y in {"padding": padded, "neighbour": neighbor}.items()
            for kind, norm in norms.items()
        }


def _around(number: float, reach: float) -> tuple[float, float]:
    return number - reach, number + reach


MEASUREMENTS: Mapping[str, Callable[[], Limits]] = {
    "measured_variance": _variances,
    "softargmax_limits": _largest_weights,
    "saturation_threshold": _threshold,
    "position_products": _position_products,
    "padding_and_norms": _changes_by_neighbors,
}
