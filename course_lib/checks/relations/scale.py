"""Equal up to a factor or a difference: one for all entries, or one for each row, column or example."""

import math
from collections.abc import Iterator

import torch
from torch import Tensor

from course_lib.checks.relations.amounts import arguments_equal_to, words_for, written
from course_lib.checks.relations.pair import Pair, Relations, dim_name, largest, relation


def one_amount(pair: Pair) -> Relations:
    """One factor or one difference, by name if it has one."""
    if pair.same_shape and not pair.is_logical and pair.got.numel() > pair.freedom:
        yield from _one_factor(pair)
        yield from _one_difference(pair)


def inverted(pair: Pair) -> Relations:
    """True for False in a mask, 1 − p for a probability."""
    if pair.equals(1 - pair.want):
        if pair.is_logical and pair.dtypes[0] is torch.bool:
            yield relation("inverted", f"{pair.yours} {pair.be} True where False is expected, and False where True is.")
        elif not pair.is_logical:
            yield relation("complement", f"{pair.yours} {pair.be} 1 minus the expected {_one(pair)}.")


def amount_for_each(pair: Pair) -> Relations:
    """A factor or a difference that is the same along some dimensions, and another elsewhere."""
    if not pair.same_shape or pair.is_logical or not pair.want.isfinite().all():
        return
    got, want = pair.got, pair.want
    for axes, along in _axes(want):
        spare = want.numel() - want.sum(axes).numel()
        if spare < pair.freedom or (pair.evidence and not (_varies(want, axes) and _varies(got, axes))):
            continue
        first = (got - want).mean(axes, keepdim=True)
        if pair.differs_by(first):
            says = f"The difference between {pair.your} and the expected {_one(pair)} is the same along {along}."
            yield relation(f"same difference along {along}", says)
        if not pair.evidence or want.numel() - 2 * want.sum(axes).numel() >= pair.freedom:
            yield from _affine(pair, axes, along)
        squares = want.square().sum(axes, keepdim=True)
        enough = (want != 0).sum(axes).sub(1).clamp(min=0).sum() >= pair.freedom
        factor = (got * want).sum(axes, keepdim=True) / squares.clamp(min=1e-30)
        if enough and bool((factor != 0).all()) and pair.equals(want * factor):
            says = f"Along {along}, {pair.your} {pair.equal} up to a factor."
            yield relation(f"factor along {along}", says)


def _affine(pair: Pair, axes: list[int], along: str) -> Relations:
    """A factor and a constant, as a gain and a shift that are missing."""
    got, want = (values - values.mean(axes, keepdim=True) for values in (pair.got, pair.want))
    factor = (got * want).sum(axes, keepdim=True) / want.square().sum(axes, keepdim=True).clamp(min=1e-30)
    if bool((factor != 0).all()) and pair.equals(pair.got.mean(axes, keepdim=True) + factor * want):
        says = f"Along {along}, {pair.your} {pair.equal} times a factor plus a constant."
        yield relation(f"factor and constant along {along}", says)


def _one_factor(pair: Pair) -> Relations:
    finite = pair.want.isfinite() & pair.got.isfinite()
    got, want = pair.got[finite], pair.want[finite]
    if (want.abs() > 1e-3 * largest(want)).sum() < max(1, pair.freedom):
        return
    factor = ((got * want).sum() / want.square().sum()).item()
    if factor == 0 or not pair.equals(pair.want * factor):
        return
    number = written(factor)
    for name in words_for(factor, pair.arguments):
        if name == "−1":
            yield relation("sign", f"{pair.yours} {pair.equal} with the opposite sign.")
        else:
            which = "" if name == number else f", which is {name} here"
            yield relation(f"factor {name}", f"{pair.yours} {pair.equal} times {number}{which}.")
    yield relation("one factor", f"{pair.yours} {pair.equal} times {number}: every entry, by the same factor.")


def _one_difference(pair: Pair) -> Relations:
    if not pair.want.isfinite().all():
        return
    difference = (pair.got - pair.want).mean().item()
    if not math.isfinite(difference) or not pair.differs_by(pair.want.new_tensor(difference)):
        return
    number, sign = written(abs(difference)), "plus" if difference > 0 else "minus"
    for name in arguments_equal_to(abs(difference), pair.arguments):
        says = f"{pair.yours} {pair.equal} {sign} {number}, which is {name} here."
        yield relation(f"{sign} {name}", says)
    yield relation(f"{sign} {number}", f"{pair.yours} {pair.equal} {sign} {number}.")
    yield relation("one difference", f"{pair.yours} {pair.equal} {sign} {number}, in every entry.")


def _axes(want: Tensor) -> Iterator[tuple[list[int], str]]:
    """All dimensions but one, then each alone."""
    ndim = want.ndim
    names = [dim_name(axis, ndim) for axis in range(ndim)]
    if ndim > 2:
        for kept in range(ndim):
            yield [axis for axis in range(ndim) if axis != kept], f"all dimensions but {names[kept]}"
    if ndim > 1:
        for axis in range(ndim):
            yield [axis], names[axis]


def _varies(values: Tensor, axes: list[int]) -> bool:
    """Whether the entries differ along each of these dimensions."""
    return all(largest(values - values.narrow(axis, 0, 1)) > 1e-3 * largest(values) for axis in axes)


def _one(pair: Pair) -> str:
    return pair.either("one", "ones")
