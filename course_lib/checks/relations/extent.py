"""Where an output is wrong or nan, if that is a part with a name: the first row, the masked entries, the upper half."""

import math
from collections.abc import Iterator

import torch
from torch import Tensor

from course_lib.checks.relations.pair import Pair, Relations, dim_name, largest, listed, relation

BITS = 10  # of information in a part that has a name
MOSTLY = 0.75  # of a part is bad, before the part is named
NEARER = 0.01  # than a typical wrong entry must every right one be
MOST_LISTED = 4


def wrong_part(pair: Pair) -> Relations:
    """The part that is wrong, if all the rest is right."""
    if pair.same_shape and _is_clear_cut(pair):
        # a 0 of a product, or the id that fills up, is right too easily
        solid = torch.ones_like(pair.right) if pair.is_logical else pair.want != pair.want.flatten().mode().values
        for name, words in _parts(~pair.right, solid, pair):
            yield relation(f"wrong {name}", f"{pair.yours} {pair.be} wrong {words}; the rest is right.")


def not_finite(pair: Pair) -> Relations:
    """The part that is nan or infinite."""
    if not pair.same_shape:
        return
    bad = ~pair.got.isfinite() & pair.want.isfinite()
    if not bad.any():
        return
    kinds = sorted({str(value) for value in pair.got[bad].unique().tolist()})
    value = " or ".join(kinds).replace("-", "−")
    if bad.all():
        in_all = " in every entry" if bad.numel() > 1 else ""
        yield relation(f"{value} everywhere", f"{pair.yours} {pair.be} {value}{in_all}.")
    for name, words in _parts(bad, ~bad, pair):
        yield relation(f"{value} {name}", f"{pair.yours} {pair.be} {value} {words}, and finite elsewhere.")
    if not bad.all() and pair.right[~bad].all():
        says = f"{pair.yours} {pair.be} {value} in {int(bad.sum())} of {bad.numel()} entries; the others are right."
        yield relation("right where finite", says)


def _is_clear_cut(pair: Pair) -> bool:
    """Whether the right entries are far nearer than the wrong ones, and not within the tolerance by luck."""
    gaps = (pair.got - pair.want).abs()
    wrong = gaps[~pair.right].nan_to_num(nan=math.inf)
    return not pair.evidence or (wrong.numel() > 0 and largest(gaps[pair.right]) <= NEARER * wrong.median().item())


def _parts(bad: Tensor, solid: Tensor, pair: Pair) -> list[tuple[str, str]]:
    """Names of the part that is bad, the tightest first, and the words for it, which may hold numbers of this case.

    Of what is not in the part, the solid entries are evidence that the rest is right.
    """
    parts = []
    for words, region in _named_regions(pair):
        if bad.any() and not (bad & ~region).any() and _bits(bad, solid, region, pair) >= BITS:
            parts.append((int(region.sum()), f"only {words}", f"only {words}"))
    for axis in (axis for axis in range(bad.ndim) if bad.shape[axis] > 1):
        touched = bad.movedim(axis, 0).reshape(bad.shape[axis], -1).any(1)
        shape = [-1 if place == axis else 1 for place in range(bad.ndim)]
        region = touched.reshape(shape).expand_as(bad)
        bits = _bits(bad, solid, region, pair)
        if touched.any():
            places, size, name = touched.nonzero().flatten().tolist(), len(touched), dim_name(axis, bad.ndim)
            parts += [(int(region.sum()), *named) for named in _indices(places, size, name, bits)]
    return [(name, words) for _, name, words in sorted(parts, key=lambda part: part[0])]


def _bits(bad: Tensor, solid: Tensor, region: Tensor, pair: Pair) -> float:
    """How unlikely it is that bad entries at random fill the region and leave out the rest."""
    p = bad.double().mean().item()
    inside, outside = bad[region & (solid | bad)], solid & ~region
    if not pair.evidence:
        return math.inf
    if p in (0, 1) or not outside.any() or inside.double().mean() < MOSTLY:
        return 0.0
    surplus = int(inside.sum()) - int((~inside).sum())
    return int(outside.sum()) * -math.log2(1 - p) + surplus * -math.log2(p)


def _indices(places: list[int], size: int, name: str, bits: float) -> Iterator[tuple[str, str]]:
    """From the most particular set of indices to any; the more sets there are of a kind, the likelier is one."""
    for words, described in _sets(size).items():
        if places == described and bits >= BITS:
            yield (f"{words} of {name}",) * 2
    if places == list(range(places[0], size)) and bits >= BITS + math.log2(size):
        yield f"from an index of {name} on", f"from index {places[0]} of {name} on"
    if places == list(range(places[-1] + 1)) and bits >= BITS + math.log2(size):
        yield f"up to an index of {name}", f"up to index {places[-1]} of {name}"
    if len(places) <= MOST_LISTED and bits >= BITS + size:
        yield f"only at some indices of {name}", f"only at index {listed([*map(str, places)])} of {name}"


def _sets(size: int) -> dict[str, list[int]]:
    everywhere = list(range(size))
    return {
        "only at the first index": everywhere[:1],
        "only at the last index": everywhere[-1:],
        "everywhere but at the first index": everywhere[1:],
        "everywhere but at the last index": everywhere[:-1],
        **({"only at even indices": everywhere[::2], "only at odd indices": everywhere[1::2]} if size > 3 else {}),
    }


def _named_regions(pair: Pair) -> Iterator[tuple[str, Tensor]]:
    shape = pair.want.shape
    if len(shape) > 1 and (min(shape[-2:]) > 2 or not pair.evidence):
        offsets = (torch.arange(shape[-1]) - torch.arange(shape[-2])[:, None]).expand(shape)
        yield "on the diagonal", offsets == 0
        yield "one step above the diagonal", offsets == 1
        yield "one step below the diagonal", offsets == -1
        yield "above the diagonal", offsets > 0
        yield "below the diagonal", offsets < 0
    for words, opposite, mask in _masks(pair):
        for spread in (mask, mask[..., None], mask[..., None, :], mask[:, None] if mask.ndim > 1 else mask):
            if _fits(spread, shape):
                yield f"where {words}", spread.expand(shape)
                yield f"where {opposite}", ~spread.expand(shape)
                rows = spread.expand(shape).all(-1, keepdim=True)
                if spread.shape[-1] > 1 and rows.any():
                    yield f"in rows where {words} throughout", rows.expand(shape)
                break
    if _is_discrete(pair.want):
        for name, value in pair.arguments.items():
            if type(value) is int:
                yield f"where {name} is expected", pair.want == value
    else:
        yield "where 0 is expected", pair.want == 0
        yield "where a negative number is expected", pair.want < 0
        yield "where a positive number is expected", pair.want > 0


def _masks(pair: Pair) -> Iterator[tuple[str, str, Tensor]]:
    """Boolean arguments, and where ids are the one that another argument names: in words, their opposite, entries."""
    for name, value in pair.arguments.items():
        values = pair.tensors.get(name)
        if not isinstance(value, Tensor) or values is None or values.ndim == 0:
            continue
        if value.dtype is torch.bool:
            yield f"{name} is True", f"{name} is False", values.bool()
        elif not value.is_floating_point():
            for other, number in pair.arguments.items():
                if type(number) is int and (values == number).any():
                    yield f"{name} is {other}", f"{name} is not {other}", values == number


def _fits(mask: Tensor, shape: torch.Size) -> bool:
    """Whether it has one entry, or as many as the output, along every dimension."""
    sizes = (1,) * (len(shape) - mask.ndim) + tuple(mask.shape)
    return len(sizes) == len(shape) and all(one in (1, size) for one, size in zip(sizes, shape, strict=True))


def _is_discrete(values: Tensor) -> bool:
    """Booleans, classes and ids."""
    return bool((values == values.round()).all())
