"""What can be seen of an output by itself: all zeros, one number, another dtype, less precision."""

import torch

from course_lib.checks.relations.amounts import written
from course_lib.checks.relations.pair import Pair, Relations, is_telling, largest, relation

HALF = {torch.float16: "float16", torch.bfloat16: "bfloat16"}


def one_number(pair: Pair) -> Relations:
    """All zeros, or another number throughout, where several numbers are expected."""
    if not pair.same_shape or (pair.evidence and not is_telling(pair.want)):
        return
    first = pair.got.flatten()[0]
    if pair.got.isfinite().all() and (pair.got == first).all():
        number = first.item()
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
    if not expected.any() or expected.all():
        return
    true, false = pair.got[expected], pair.got[~expected]
    if (true == true[0]).all() and (false == false[0]).all() and true[0] != false[0]:
        one, other = written(true[0].item()), written(false[0].item())
        says = f"{pair.yours} {pair.either('holds', 'hold')} {one} where True is expected, and {other} elsewhere."
        yield relation(f"numbers {one} and {other} for a mask", says)


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
