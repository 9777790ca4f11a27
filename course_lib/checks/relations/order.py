"""The expected entries in another order: dimensions exchanged, reversed, shifted, permuted, reshaped."""

from collections.abc import Iterator
from itertools import combinations, permutations

import torch
from torch import Tensor

from course_lib.cards.observed import Mistake
from course_lib.checks.relations.pair import DISTINCT, Pair, Relations, dim_name, is_telling, largest, relation

SHIFTS = (1, -1, 2, -2)
ENTRIES_OF_A_PART = 16  # of two values: parts are many, so that one of them equals another by chance
MOST_SLICES = 64
MOST_LISTED = 8


def reordered(pair: Pair) -> Relations:
    """All of the expected entries, in an order that has a name."""
    if not _same_entries(pair):
        return
    found = False
    for part in (_exchanged, _reversed, _rolled, _permuted, _reshaped):
        for mistake in part(pair):
            found = True
            yield mistake
    if not found and len(pair.want.unique()) > max(DISTINCT, pair.want.numel() // 2):
        says = f"{pair.yours} {pair.either('has', 'have')} exactly the expected entries, in another order."
        yield relation("other order", says)


def shifted(pair: Pair) -> Relations:
    """Moved along a dimension, with something else in the gap."""
    if not pair.same_shape:
        return
    for axis, name in _named_axes(pair.want):
        size = pair.want.shape[axis]
        for step in SHIFTS:
            kept = size - abs(step)
            if kept < (2 if pair.evidence else 1) or pair.equals(pair.want.roll(step, axis)):
                continue
            to, source = max(step, 0), max(-step, 0)
            got, instead = pair.got.narrow(axis, to, kept), pair.want.narrow(axis, to, kept)
            enough = not pair.evidence or is_telling(got, ENTRIES_OF_A_PART)
            if enough and pair.same(got, pair.want.narrow(axis, source, kept), instead):
                yield _shift(pair, step, name, "")


def _same_entries(pair: Pair) -> bool:
    if pair.got.numel() != pair.want.numel():
        return False
    got, want = (values.flatten().sort().values for values in (pair.got, pair.want))
    return torch.allclose(got, want, rtol=pair.rounding, atol=pair.rounding * largest(want))


def _exchanged(pair: Pair) -> Relations:
    ndim = pair.want.ndim
    if pair.got.ndim != ndim:
        return
    names = [dim_name(axis, ndim) for axis in range(ndim)]
    found = False
    for one, two in combinations(range(ndim), 2):
        if pair.equals(pair.want.transpose(one, two)):
            found = True
            says = f"{pair.yours} {pair.equal} with {names[one]} and {names[two]} exchanged."
            yield relation(f"{names[one]} and {names[two]} exchanged", says)
    if ndim in (3, 4) and not found:
        for order in permutations(range(ndim)):
            if sum(place != axis for place, axis in enumerate(order)) > 2 and pair.equals(pair.want.permute(order)):
                says = f"{pair.yours} {pair.equal} with the dimensions in the order {order}."
                yield relation(f"dimensions {order}", says)


def _reversed(pair: Pair) -> Relations:
    for axis, name in _named_axes(pair.want):
        if pair.equals(pair.want.flip(axis)):
            yield relation(f"reversed along {name}", f"{pair.yours} {pair.equal} in reverse order along {name}.")


def _rolled(pair: Pair) -> Relations:
    for axis, name in _named_axes(pair.want):
        for step in SHIFTS:
            if abs(step) < pair.want.shape[axis] and pair.equals(pair.want.roll(step, axis)):
                yield _shift(pair, step, name, ", and what leaves at one end comes back at the other")


def _permuted(pair: Pair) -> Relations:
    if not pair.same_shape:
        return
    for axis, name in _named_axes(pair.want):
        order = _order(pair, axis)
        if order:
            listed = f": {', '.join(map(str, order))}" if len(order) <= MOST_LISTED else ""
            says = f"Along {name}, {pair.your} has the expected slices in another order"
            yield relation(f"permuted along {name}", f"{says}{listed}.")


def _order(pair: Pair, axis: int) -> list[int]:
    """Which expected slice came in each place; nothing unless each is there once."""
    size = pair.want.shape[axis]
    got, want = (values.movedim(axis, 0).reshape(size, -1) for values in (pair.got, pair.want))
    if not 2 < size <= MOST_SLICES or got.shape[1] < 2 or not want.isfinite().all():
        return []
    limit = pair.rounding * largest(want)
    matches = torch.stack([(got - row).abs().amax(1) <= limit for row in want], dim=1)  # (came, expected)
    if not (matches.sum(0) == 1).all() or not (matches.sum(1) == 1).all():
        return []
    order = matches.int().argmax(1)
    return order.tolist() if pair.equals(pair.want.index_select(axis, order)) else []


def _reshaped(pair: Pair) -> Relations:
    """The entries of a reshape where dimensions should have been exchanged, or the other way round."""
    shape, (got, want) = pair.got.shape, (pair.got, pair.want)
    if got.shape != want.shape and pair.equals(want.reshape(shape)):
        without_ones = [[size for size in values.shape if size > 1] for values in (got, want)]
        if without_ones[0] == without_ones[1]:
            ones = want.ndim - got.ndim
            what = "lacks a dimension of size 1" if ones > 0 else "has a dimension of size 1 too many"
            what = what if ones else "has its dimension of size 1 in another place"
            says = (
                f"{pair.yours} {what}: its shape is {tuple(shape)}, expected {tuple(want.shape)}; the values are right."
            )
            yield relation(what.replace("lacks", "without"), says)
        says = f"{pair.yours} {pair.equal}, entry by entry, in another shape: {tuple(shape)}."
        yield relation("reshaped", says)
    for one, two in combinations(range(want.ndim), 2):
        moved = want.transpose(one, two)
        if 1 in (want.shape[one], want.shape[two]):
            continue
        if moved.shape != shape and pair.equals(moved.reshape(shape)):
            axes = f"{dim_name(one, want.ndim)} and {dim_name(two, want.ndim)}"
            says = f"{pair.yours} {pair.equal} with {axes} exchanged and then reshaped to {tuple(shape)}."
            yield relation(f"{axes} exchanged and reshaped", says)


def _shift(pair: Pair, step: int, name: str, ending: str) -> Mistake:
    source = f"i {'−' if step > 0 else '+'} {abs(step)}"
    says = f"Along {name}, index i of {pair.your} holds what is expected at index {source}{ending}."
    return relation(f"{'rolled' if ending else 'shifted'} by {step} along {name}", says)


def _named_axes(values: Tensor) -> Iterator[tuple[int, str]]:
    return ((axis, dim_name(axis, values.ndim)) for axis in range(values.ndim) if values.shape[axis] > 1)
