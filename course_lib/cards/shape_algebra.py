"""Shape sheets: tensor names with the names of their dimensions, and the arithmetic that ties them together."""

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction

Shape = tuple[str, ...]

_DIMENSION = re.compile(r"\w+([*/]\w+)*")
_LONGEST = 200  # characters; a longer entry is no shape, and parsing it would take long


def parse_shape(entry: object) -> Shape:
    """The dimension names of one entry: "B n d", "(B, n, d)", "B x n x d", "B×n×d" and ("B", "n", "d") are the same."""
    if isinstance(entry, str | Sequence) and len("".join(map(str, entry))) > _LONGEST:
        raise ValueError(f'expected dimension names such as "B n d", got more than {_LONGEST} characters')
    if isinstance(entry, str):
        names = re.split(r"[\s,×]+", re.sub(r"\s*([*/])\s*", r"\1", entry.replace("·", "*")).strip("()[] "))
        names = [name for name in names if name not in ("", "x")]
    elif isinstance(entry, Sequence) and all(isinstance(name, str) for name in entry):
        names = [re.sub(r"\s*([*/])\s*", r"\1", name.replace("·", "*")).strip() for name in entry]
    else:
        raise ValueError(f'expected dimension names such as "B n d", got {entry!r}')
    for name in names:
        if not _DIMENSION.fullmatch(name):
            raise ValueError(f"{name!r} is not the name of a dimension")
    return tuple(names)


def shape_sizes(shape: Shape, sizes: Mapping[str, int]) -> tuple[Fraction, ...]:
    """The shape as numbers; a dimension may be a product or quotient of names, such as heads*d_k."""
    return tuple(_size(dimension, sizes) for dimension in shape)


def _size(dimension: str, sizes: Mapping[str, int]) -> Fraction:
    size = Fraction(1)
    for operator, name in re.findall(r"([*/]?)(\w+)", dimension):
        if name not in sizes and not name.isdigit():
            raise ValueError(f"there is no dimension called {name}; the names in use are {', '.join(sizes)}")
        factor = Fraction(sizes[name] if name in sizes else int(name))
        size = size / factor if operator == "/" else size * factor
    return size


def same_shape(one: Shape, other: Shape) -> bool:
    """Whether two shapes are the same by name; the factors of a product may come in any order."""
    return len(one) == len(other) and all(map(same_dimension, one, other))


def same_dimension(one: str, other: str) -> bool:
    return _normal(one) == _normal(other)


def shape_difference(one: Shape, other: Shape) -> str:
    """How the first shape differs from the second, if that can be said in a few words."""
    got, want = ([_normal(dimension) for dimension in shape] for shape in (one, other))
    if sorted(got) == sorted(want):
        return "the right dimensions, in another order"
    for long, short, says in ((got, want, "one dimension too many, {}"), (want, got, "one dimension is missing, {}")):
        for place, dimension in enumerate(long):
            if [*long[:place], *long[place + 1 :]] == short:
                return says.format(dimension)
    if len(got) == len(want):
        others = [mine for mine, theirs in zip(got, want, strict=True) if mine != theirs]
        return f"right but for one dimension, which is not {others[0]}" if len(others) == 1 else ""
    factors = ["*".join(sorted("*".join(shape).split("*"))) for shape in (got, want)]
    if factors[0] == factors[1] and not any("/" in factor for factor in factors):
        return f"as many numbers as expected, but in {len(got)} dimensions, not {len(want)}"
    return ""


def _normal(dimension: str) -> str:
    return dimension if "/" in dimension else "*".join(sorted(dimension.split("*")))


def show_shape(shape: Shape) -> str:
    return f"({', '.join(shape)})"


def product_shape(formula: str, sheet: Mapping[str, Shape]) -> Shape:
    """The shape of a formula such as "X_tgt @ W_q", "Q @ K.T", "Q.split" or "scores", by the shapes on the sheet.

    `.T` swaps the last two dimensions; `.split` makes h heads of the last one, and `.merge` puts them side by side.
    """
    factors = [_factor(name, sheet) for name in formula.split(" @ ")]
    result = factors[0]
    for factor in factors[1:]:
        if len(result) < 2 or len(factor) < 2:
            raise ValueError(f"{formula} needs at least two dimensions on each side")
        if not same_dimension(result[-1], factor[-2]):
            raise ValueError(
                f"{formula} multiplies {show_shape(result)} by {show_shape(factor)}: "
                f"the inner dimensions {result[-1]} and {factor[-2]} differ"
            )
        batch = max(result[:-2], factor[:-2], key=len)
        result = (*batch, result[-2], factor[-1])
    return result


def _factor(name: str, sheet: Mapping[str, Shape]) -> Shape:
    tensor, _, change = name.partition(".")
    shape = sheet[tensor]
    if change == "T":
        return (*shape[:-2], *reversed(shape[-2:]))
    if change == "split":
        if len(shape) != 3:
            raise ValueError(f"{tensor} has {len(shape)} dimensions, and only one of three can be split into heads")
        return (shape[0], "h", shape[1], _of_one_head(shape[2]))
    if change == "merge":
        if len(shape) != 4:
            raise ValueError(f"{tensor} has {len(shape)} dimensions, and heads to merge have four")
        return (shape[0], shape[2], f"{shape[1]}*{shape[3]}")
    return shape


def _of_one_head(width: str) -> str:
    factors = width.split("*")
    if "h" in factors and len(factors) > 1:
        factors.remove("h")
        return "*".join(factors)
    return f"{width}/h"
