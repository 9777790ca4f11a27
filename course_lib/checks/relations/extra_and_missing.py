"""A dimension, or an entry along one, that is too many or missing."""

from collections.abc import Callable, Iterator
from itertools import combinations

import torch
from torch import Tensor

from course_lib.checks.relations.pair import Pair, Relations, dim_name, relation

REDUCTIONS: dict[str, Callable[[Tensor, int], Tensor]] = {
    "sum": lambda values, axis: values.sum(axis),
    "mean": lambda values, axis: values.mean(axis),
    "maximum": lambda values, axis: values.amax(axis),
    "argmax": lambda values, axis: values.argmax(axis).double(),
}


def lengths(pair: Pair) -> Relations:
    """Some entries more or less at one end of a dimension."""
    got, want = pair.got, pair.want
    if got.ndim != want.ndim:
        return
    different = [axis for axis in range(want.ndim) if got.shape[axis] != want.shape[axis]]
    if len(different) != 1:
        return
    (axis,) = different
    longer, shorter = (got, want) if got.shape[axis] > want.shape[axis] else (want, got)
    count = longer.shape[axis] - shorter.shape[axis]
    for start, end in ((0, "last"), (count, "first")):
        if pair.same(shorter, longer.narrow(axis, start, shorter.shape[axis])):
            what = f"the {end} {'one' if count == 1 else count}"
            along = f"along {dim_name(axis, want.ndim)}"
            if longer is want:
                yield relation(f"without {what} {along}", f"{pair.yours} {pair.equal} without {what} {along}.")
            else:
                says = f"{pair.yours} {pair.equal} and {count} more at the {_place(end)} {along}."
                yield relation(f"{count} more at the {_place(end)} {along}", says)


def reductions(pair: Pair) -> Relations:
    """A sum, a mean or one slice in place of a whole dimension, or the other way round."""
    for whole, part, too_few in ((pair.want, pair.got, True), (pair.got, pair.want, False)):
        if whole.ndim != part.ndim + 1:
            continue
        for axis in range(whole.ndim):
            shape = [size for place, size in enumerate(whole.shape) if place != axis]
            if shape != list(part.shape) or whole.shape[axis] < 2:
                continue
            for what, reduced in _reduced(whole, axis):
                if pair.same(part, reduced):
                    along = f"{what} over {dim_name(axis, whole.ndim)}"
                    if too_few:
                        says = f"{pair.yours} {pair.be} the {along} of what is expected."
                    else:
                        says = f"The {along} of {pair.your} is what is expected."
                    yield relation(f"{along} {'taken' if too_few else 'missing'}", says)


def diagonal(pair: Pair) -> Relations:
    """Every combination along two dimensions, where equal indices are expected."""
    got, want = pair.got, pair.want
    if got.ndim != want.ndim + 1:
        return
    for one, two in combinations(range(got.ndim), 2):
        if got.shape[one] == got.shape[two] > 1:
            equal = got.diagonal(dim1=one, dim2=two).movedim(-1, one)
            if equal.shape == want.shape and pair.same(want, equal):
                names = f"{dim_name(one, got.ndim)} and {dim_name(two, got.ndim)}"
                says = f"What is expected is the part of {pair.your} with equal indices along {names}."
                yield relation(f"diagonal of {names}", says)


def _reduced(whole: Tensor, axis: int) -> Iterator[tuple[str, Tensor]]:
    for what, reduce in REDUCTIONS.items():
        yield what, reduce(whole, axis)
    yield "first slice", whole.select(axis, 0)
    yield "last slice", whole.select(axis, -1)


def _place(end: str) -> str:
    return "end" if end == "last" else "front"


def repeated(pair: Pair) -> Relations:
    """The same slice all along a dimension, where different ones are expected."""
    if not pair.same_shape or not pair.got.isfinite().all():
        return
    for axis in range(pair.want.ndim):
        first_got, first_want = pair.got.narrow(axis, 0, 1), pair.want.narrow(axis, 0, 1)
        if pair.want.shape[axis] < 2 or torch.allclose(pair.want, first_want, rtol=1e-2, atol=1e-3):
            continue
        if torch.allclose(pair.got, first_got, rtol=1e-6, atol=0.0):
            name = dim_name(axis, pair.want.ndim)
            says = f"{pair.yours} {pair.be} the same at every index of {name}; different values are expected."
            yield relation(f"constant along {name}", says)
