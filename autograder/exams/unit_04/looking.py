"""Ways to attend to one position: queries, keys and values that do, and some that miss it."""

import torch
import torch.nn.functional as F
from torch import Tensor

Head = tuple[Tensor, Tensor, Tensor]
SHARP = 1e4

SOFT = "Your beta is too small, so other tokens leak in. Multiply the queries by a larger number."


def at(x: Tensor, offset: int, border: str = "zeros", beta: float = SHARP, values: str = "tokens") -> Head:
    """Token i + offset for each i; `border` says what is attended to where there is no such token."""
    n = x.shape[-2]
    wanted = torch.arange(n) + offset
    if border == "wrap":
        wanted = wanted % n
    elif border == "repeat":
        wanted = wanted.clamp(0, n - 1)
    front, behind = (abs(offset) * (offset < 0), offset * (offset > 0)) if border == "zeros" else (0, 0)
    places = torch.eye(n + 4)  # the token at position 0 is at place 2
    queries = places[wanted + 2]
    if border == "mean":
        queries = queries * ((wanted >= 0) & (wanted < n))[:, None]
    keys = places[2 - front : 2 + n + behind]
    return beta * queries, keys, F.pad(x, (0, 0, front, behind)) if values == "tokens" else keys


def soft(x: Tensor, offset: int) -> Head:
    """Positions compared without a large beta."""
    return at(x, offset, beta=1.0)


def by_content(x: Tensor, beta: float = 1.0) -> Head:
    return beta * x, x, x


def by_distance(x: Tensor, offset: int) -> Head:
    """Scores −100 (i + offset − j)², up to a term that is the same in a row and changes nothing."""
    n, front, behind = x.shape[-2], int(offset < 0), int(offset > 0)
    wanted = (torch.arange(n) + offset).float()
    places = torch.arange(-front, n + behind).float()
    queries = 100 * torch.stack([2 * wanted, -torch.ones(n)], -1)
    return queries, torch.stack([places, places**2], -1), F.pad(x, (0, 0, front, behind))


def on_a_circle(x: Tensor, offset: int) -> Head:
    """Positions as points of a circle, which are most alike to themselves; one query each in the batch."""
    n, front, behind = x.shape[-2], int(offset < 0), int(offset > 0)
    angles = torch.arange(-front, n + behind, dtype=torch.float64) * (2 * torch.pi / 40)
    points = torch.stack([angles.cos(), angles.sin()], -1)
    start = front + offset
    queries = (5000 * points[start : start + n]).float().expand(*x.shape[:-2], -1, -1)
    return queries, points.float().expand(*x.shape[:-2], -1, -1), F.pad(x, (0, 0, front, behind))


def by_one_hot(x: Tensor, offset: int) -> Head:
    """Keys for both borders only where they are needed; values by concatenation."""
    batch, n, d = x.shape
    zeros = torch.zeros(batch, 1, d)
    rows = ([zeros] if offset < 0 else []) + [x] + ([zeros] if offset > 0 else [])
    values = torch.cat(rows, dim=1)
    keys = F.one_hot(torch.arange(values.shape[1])).float()
    first = 1 if offset > 0 else 0
    queries = F.one_hot(torch.arange(first, first + n), values.shape[1]).float() * 1e6
    return queries[None].repeat(batch, 1, 1), keys[None].repeat(batch, 1, 1), values


STYLES = (by_distance, on_a_circle, by_one_hot, lambda x, offset: list(at(x, offset)))
