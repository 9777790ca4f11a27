"""What came in place of a distribution, such as attention weights: of other scores, of other keys, of another axis."""

from collections.abc import Iterator, Mapping

import torch
from torch import Tensor

from course_lib.checks.relations.amounts import every_name, words_for, written
from course_lib.checks.relations.pair import Pair, Relations, dim_name, largest, relation


def other_scores(pair: Pair) -> Relations:
    """A softmax of scores that differ by one factor, such as a forgotten or doubled √d_k."""
    for axis in _axes(pair):
        if not _is_distribution(pair.got, axis, pair):
            continue
        if not pair.evidence and not ((pair.want > 0) & (pair.want < 1)).any():
            # one-hot: of scores so large that any factor leaves them as they are
            for name in (*every_name(_with_width_of_a_head(pair)), "one factor"):
                yield relation(f"scores times {name}", f"{pair.yours} {pair.be} one-hot.")
        if not torch.equal(pair.got > 0, pair.want > 0):
            continue
        shown = pair.want > 0
        counts = shown.sum(axis, keepdim=True)
        if (counts - 1).clamp(min=0).sum() < pair.freedom:
            continue
        got, want = (_centered(values, shown, counts, axis) for values in (pair.got, pair.want))
        factor = ((got * want).sum() / want.square().sum()).item()
        if factor and pair.equals((want * factor).masked_fill(~shown, -torch.inf).softmax(axis)):
            number = written(factor)
            start = f"{pair.yours} {pair.be} the softmax of the expected scores times {number}"
            for name in words_for(factor, _with_width_of_a_head(pair), unbiased=False):
                which = "" if name == number else f", which is {name} here"
                yield relation(f"scores times {name}", f"{start}{which}.")
            yield relation("scores times one factor", f"{start}.")


def blunt(pair: Pair) -> Relations:
    """A distribution whose largest entries are where 1 is expected, and are less than 1."""
    one_hot = pair.same_shape and pair.dtypes[1].is_floating_point and ((pair.want == 0) | (pair.want == 1)).all()
    if not one_hot or not pair.got.isfinite().all() or not pair.want.any():
        return
    for axis in range(pair.want.ndim):
        rows = pair.want.sum(axis, keepdim=True) == 1
        if not ((pair.want.sum(axis) <= 1).all() and int(rows.sum()) >= pair.freedom):
            continue
        top = pair.got.max(axis, keepdim=True).values
        if ((pair.want == 1) == ((pair.got == top) & rows)).all() and (pair.got >= 0).all() and (top < 1).any():
            low = written(top[rows].min().item())
            says = f"{pair.yours} {pair.be} largest where 1 is expected, but as low as {low} there: not sharp enough."
            yield relation(f"largest in the right place along {dim_name(axis, pair.want.ndim)}", says)


def other_support(pair: Pair) -> Relations:
    """Not 0 where 0 is expected or the other way round, and proportional to what is expected elsewhere."""
    for axis in _axes(pair):
        both = (pair.got > 0) & (pair.want > 0)
        if (both.sum(axis) - 1).clamp(min=0).sum() < pair.freedom:
            continue
        got, want = (_shares(values, both, axis) for values in (pair.got, pair.want))
        if not pair.same(got, want):
            continue
        for words, where in (
            ("not 0 in {} entries where 0 is expected", (pair.want == 0) & (pair.got != 0)),
            ("0 in {} entries where a positive number is expected", (pair.want > 0) & (pair.got == 0)),
        ):
            if where.any():
                says = f"{pair.yours} {pair.be} {words.format(int(where.sum()))}"
                along = dim_name(axis, pair.want.ndim)
                ending = f"along {along}, the other entries are in the expected proportions."
                yield relation(f"{words.format('some')}, along {along}", f"{says}; {ending}")


def other_axis(pair: Pair) -> Relations:
    """A distribution along another dimension than the expected one, or along none."""
    for axis in _axes(pair):
        if _is_distribution(pair.got, axis, pair):
            continue
        expected, sums = dim_name(axis, pair.want.ndim), pair.got.sum(axis)
        start = f"{pair.yours} {pair.either('sums', 'sum')} to"
        for other in range(pair.want.ndim):
            if other != axis and _is_distribution(pair.got, other, pair) and largest(pair.got - pair.got.mean()) > 1e-3:
                name = dim_name(other, pair.want.ndim)
                says = f"{start} 1 along {name}, expected along {expected}."
                yield relation(f"distribution along {name} and not {expected}", says)
        low, high = (written(value.item()) for value in (sums.min(), sums.max()))
        amounts = low if low == high else f"between {low} and {high}"
        yield relation(f"no distribution along {expected}", f"{start} {amounts} along {expected}, expected 1.")


def _with_width_of_a_head(pair: Pair) -> Mapping[str, object]:
    """The arguments, and the width of a head where each head has weights of its own."""
    heads = pair.want.shape[1] if pair.want.ndim == 4 else 1
    widths = {value.shape[-1] // heads for value in pair.tensors.values() if value.ndim == 3}
    return {**pair.arguments, "d_head": widths.pop()} if heads > 1 and len(widths) == 1 else pair.arguments


def _is_distribution(values: Tensor, axis: int, pair: Pair) -> bool:
    """Whether there are distributions along the axis, and several: one alone may sum to 1 by chance."""
    sums = values.sum(axis)
    enough = not pair.evidence or (values.shape[axis] > 1 and sums.numel() > 1)
    return enough and bool((values >= 0).all() and ((sums - 1).abs() < 1e-3).all())


def _axes(pair: Pair) -> Iterator[int]:
    """The dimensions along which a distribution is expected."""
    if pair.same_shape and pair.dtypes[1].is_floating_point and pair.got.isfinite().all():
        if pair.evidence and not ((pair.want > 0) & (pair.want < 1)).any():
            return  # one-hot rows are no softmax
        yield from (axis for axis in range(pair.want.ndim) if _is_distribution(pair.want, axis, pair))


def _centered(values: Tensor, shown: Tensor, counts: Tensor, axis: int) -> Tensor:
    """The scores of a softmax, up to the constant that it does not see."""
    logs = torch.where(shown, values, 1.0).log()
    return torch.where(shown, logs - logs.sum(axis, keepdim=True) / counts.clamp(min=1), 0.0)


def _shares(values: Tensor, shown: Tensor, axis: int) -> Tensor:
    kept = values.where(shown, 0.0)
    return kept / kept.sum(axis, keepdim=True).clamp(min=1e-30)
