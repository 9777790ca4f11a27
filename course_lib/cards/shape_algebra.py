"""Shape sheets: tensor names with the names of their dimensions, and the arithmetic that ties them together."""

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction

Shape = tuple[str, ...]

_DIMENSION = re.compile(r"\w+([*/]\w+)*")
HEADS = "h"
_LONGEST = 200  # characters; a longer entry is no shape, and parsing it would take long


def parse_shape(entry: object) -> Shape:
    """The dimension names of one entry: "B n d", "(B, n, d)", "B × n × d" and ("B", "n", "d") are the same."""
    if isinstance(entry, str | Sequence) and len("".join(map(str, entry))) > _LONGEST:
        raise ValueError(f'expected dimension names such as "B n d", got more than {_LONGEST} characters')
    if isinstance(entry, str):
        names = re.split(r"[\s,×]+", re.sub(r"\s*([*/])\s*", r"\1", entry).strip("()[] "))
        names = [name for name in names if name]
    elif isinstance(entry, Sequence) and all(isinstance(name, str) for name in entry):
        names = [name.strip() for name in entry]
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
    return tuple(map(_normal, one)) == tuple(map(_normal, other))


def _normal(dimension: str) -> str:
    return dimension if "/" in dimension else "*".join(sorted(dimension.split("*")))


def show_shape(shape: Shape) -> str:
    return f"({', '.join(shape)})"


def product_shape(formula: str, sheet: Mapping[str, Shape]) -> Shape:
    """The shape of a formula such as "X_tgt @ W_q", "Q @ K.T", "scores" or "split(Q)", by the shapes on the sheet."""
    for step, shape_after in (("split", _split), ("merge", _merged)):
        if formula.startswith(f"{step}("):
            return shape_after(formula, sheet[tensor_in(formula)])
    factors = [_factor(name, sheet) for name in formula.split(" @ ")]
    result = factors[0]
    for factor in factors[1:]:
        if len(result) < 2 or len(factor) < 2:
            raise ValueError(f"{formula} needs at least two dimensions on each side")
        if _normal(result[-1]) != _normal(factor[-2]):
            raise ValueError(
                f"{formula} multiplies {show_shape(result)} by {show_shape(factor)}: "
                f"the inner dimensions {result[-1]} and {factor[-2]} differ"
            )
        batch = max(result[:-2], factor[:-2], key=len)
        result = (*batch, result[-2], factor[-1])
    return result


def tensor_in(factor: str) -> str:
    """The tensor of one factor: Q in "Q", "Q.T" and "split(Q)"."""
    return re.sub(r"^(split|merge)\(|\)$|\.T$", "", factor)


def _split(formula: str, shape: Shape) -> Shape:
    """(B, n, h*d_k) becomes (B, h, n, d_k)."""
    width = _normal(shape[-1]).split("*")
    if len(shape) != 3 or HEADS not in width or "/" in shape[-1]:
        raise ValueError(
            f"{formula} cuts a width that holds all {HEADS} heads, but your sheet says {show_shape(shape)}"
        )
    width.remove(HEADS)
    return (shape[0], HEADS, shape[1], "*".join(width) or "1")


def _merged(formula: str, shape: Shape) -> Shape:
    """(B, h, n, d_v) becomes (B, n, h*d_v)."""
    if len(shape) != 4:
        raise ValueError(f"{formula} joins the heads of four dimensions, but your sheet says {show_shape(shape)}")
    batch, heads, tokens, width = shape
    return (batch, tokens, f"{heads}*{width}")


def _factor(name: str, sheet: Mapping[str, Shape]) -> Shape:
    shape = sheet[tensor_in(name)]
    return (*shape[:-2], *reversed(shape[-2:])) if name.endswith(".T") else shape


def broken_relations(sheet: Mapping[str, Shape], relations: Sequence[str]) -> dict[str, str]:
    """For each tensor whose relation ("Q = X_tgt @ W_q") does not hold on the sheet, a sentence that says why."""
    broken = {}
    for relation in relations:
        name, formula = relation.split(" = ")
        try:
            wanted = product_shape(formula, sheet)
        except ValueError as error:
            broken[name] = str(error)
            continue
        if not same_shape(sheet[name], wanted):
            broken[name] = f"{formula} gives {show_shape(wanted)}, but your sheet says {show_shape(sheet[name])}"
    return broken
