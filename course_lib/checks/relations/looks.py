"""What can be seen of an output by itself: all zeros, one number, another dtype, less precision."""

import math
from itertools import product

import torch

from course_lib.checks.relations.amounts import written
from course_lib.checks.relations.pair import Pair, Relations, is_telling, largest, relation

USUAL = [0.0, 1.0, -math.inf, -1e9]  # in masks of numbers
HALF = {torch.bfloat16: "bfloat16", torch.float16: "float16"}  # most values of the first are values of the second


def one_number(pair: Pair) -> Relations:
    """All zeros, or another number throughout, where several numbers are expected."""
    if not pair.same_shape or (pair.evidence and not is_telling(pair.want)):
        return
    first = pair.got.flatten()[0]
    if pair.got.isfinite().all() and (pair.got == first).all():
        number = first.item() + 0.0
        word = "zeros" if number == 0 else "one number"
        value = str(bool(number)) if pair.dtypes[0] is torch.bool else written(number)
        yield relation(f"all {word}", f"Every entry of {pair.your} is {value}.")


def dtype_only(pair: Pair) -> Relations:
    """Right values in another dtype."""
    got, want = (str(dtype).removeprefix("torch.") for dtype in pair.dtypes)
    if got != want and pair.same_shape and pair.right.all():
        says = f"{pair.yours} {pair.either('has', 'have')} the right values, but the dtype {got}, expected {want}."
        yield relation(f"dtype {got} in place of {want}", says)


def two_numbers_for_a_mask(pair: Pair) -> Relations:
    """A mask of numbers: one wherever True is expected, another wherever False is."""
    if not pair.is_logical or pair.dtypes[0] is torch.bool or not pair.same_shape:
        return
    expected = pair.want.bool()
    where_true, where_false = (pair.got[part].unique().tolist() for part in (expected, ~expected))
    if not pair.evidence:  # what is nowhere expected may be anything usual
        where_true, where_false = where_true or USUAL, where_false or USUAL
    elif len(where_true) != 1 or len(where_false) != 1:
        return
    if max(len(where_true), len(where_false)) <= len(USUAL):
        for one, other in product(where_true, where_false):
            true, false = written(one), written(other)
            says = f"{pair.yours} {pair.either('holds', 'hold')} {true} where True is expected, and {false} elsewhere."
            yield relation(f"mask of {true} and {false}", says)


def rounded(pair: Pair) -> Relations:
    """The expected values with fewer decimals."""
    if not pair.same_shape or pair.is_logical or not pair.got.isfinite().all():
        return
    for decimals in range(4):
        if torch.allclose(pair.got, pair.want.round(decimals=decimals), rtol=0.0, atol=1e-6 * largest(pair.want)):
            how = f"rounded to {decimals} decimals" if decimals else "rounded to whole numbers"
            yield relation(how, f"{pair.yours} {pair.equal}, {how}.")
            return


def low_precision(pair: Pair) -> Relations:
    """Values that went through float16 or bfloat16."""
    if not pair.same_shape or pair.is_logical:
        return
    if largest(pair.got - pair.want) > 5e-3 * largest(pair.want) or not pair.got.isfinite().all():
        return
    for dtype, name in HALF.items():
        if torch.equal(pair.got.to(dtype).double(), pair.got) and not torch.equal(
            pair.want.to(dtype).double(), pair.want
        ):
            says = f"{pair.yours} {pair.either('has', 'have')} only the precision of {name}; everything else is right."
            yield relation(f"precision of {name}", says)
            return
