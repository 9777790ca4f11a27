"""What is certain although no relation holds: which output is right, what was changed or made less precise."""

from collections.abc import Iterable, Mapping

from torch import Tensor

from course_lib.checks.relations.pair import Pair, Relations, as_numbers, has_numbers, is_telling, listed, relation

ARGUMENT, AFTER, DTYPE = "the argument ", ", after the call,", "the dtype of "


def changed_arguments(got: Mapping[str, object], want: Mapping[str, object]) -> Relations:
    """Arguments that are not what they were before the call."""
    changed = [name for name in want if name.startswith(ARGUMENT) and _differ(got.get(name), want[name])]
    if changed:
        names = [name.removeprefix(ARGUMENT).removesuffix(AFTER) for name in changed]
        says = (
            f"Your function changes {listed(names)} in place, by an operator such as `+=` or a method whose name ends "
            f"with `_`. Compute a new tensor instead, or work on `{names[0]}.clone()`."
        )
        yield relation(f"changes {listed(names)}", says)


def right_outputs(got: Mapping[str, object], want: Mapping[str, object]) -> Relations:
    """Where some outputs are right and others are not: the mistake is in what makes the others."""
    pairs = _compared(got, want, [name for name in want if " " not in name])  # the others are made by an observer
    right = [name for name, pair in pairs.items() if _is_right(pair)]
    wrong = [name for name in pairs if name not in right]
    if wrong and any(is_telling(pairs[name].want) for name in right):
        be = "are" if len(right) > 1 else pairs[right[0]].be
        says = f"Your {listed(right)} {be} right: look at what you make the {listed(wrong)} of."
        yield relation(f"right but for {listed(wrong)}", says)


def lost_precision(got: Mapping[str, object], want: Mapping[str, object]) -> Relations:
    """float32 where float64 went in."""
    lost = [name.removeprefix(DTYPE) for name in want if name.startswith(DTYPE) and _is_single(got.get(name))]
    if lost and not any(_is_single(value) for value in want.values()):
        be = "is" if len(lost) == 1 else "are"
        says = (
            f"float64 goes in, but your {listed(lost)} {be} float32. What does that: `.float()`, and new tensors "
            "without `dtype=`."
        )
        yield relation("float32 for float64", says)


def _compared(got: Mapping[str, object], want: Mapping[str, object], names: Iterable[str]) -> dict[str, Pair]:
    """What came beside what was expected, where both are numbers."""
    both = {name: (got.get(name), want[name]) for name in names}
    return {
        name: Pair(name, as_numbers(came), as_numbers(expected), (came.dtype, expected.dtype), {}, {})
        for name, (came, expected) in both.items()
        if has_numbers(came) and has_numbers(expected)
    }


def _is_right(pair: Pair) -> bool:
    return pair.same_shape and bool(pair.right.all())


def _is_single(dtype: object) -> bool:
    return dtype == "torch.float32"


def _differ(came: object, expected: object) -> bool:
    if not isinstance(expected, Tensor) or type(came) is not Tensor:
        return False
    return came.shape != expected.shape or not bool((came == expected).all())
