"""Gradients that do not arrive, or that are those of a part of the computation only."""

from collections.abc import Mapping

from course_lib.checks.relations.pair import Relations, as_numbers, has_numbers, largest, listed, relation

ARRIVES, VALUES = "whether a gradient reaches ", "the gradient of "
FAR = 0.05  # of the largest entry: less may be rounding


def gradients_cut_off(got: Mapping[str, object], want: Mapping[str, object]) -> Relations:
    """Which gradients are missing; or, where the outputs are right, which are not those of the outputs."""
    missing = [name for name in want if name.startswith(ARRIVES) and want[name] is True and got.get(name) is False]
    if missing:
        names = listed([name.removeprefix(ARRIVES) for name in missing])
        says = (
            f"The gradient of {names} is missing, 0 or not finite. That happens where a value is cut off (detach(), "
            "item(), no_grad()), not used or rounded, and where the outputs are not finite."
        )
        yield relation(f"no gradient reaches {names}", says)
    partial = [name for name in want if name.startswith(VALUES) and _differs(got.get(name), want[name])]
    if partial and all(_is_right(got.get(name), want[name]) for name in want if not name.startswith(VALUES)):
        names = listed([name.removeprefix(VALUES) for name in partial])
        says = (
            f"Your outputs are right, but the gradient of {names} is not theirs: autograd does not see all of the "
            "computation. What hides a part from it: detach(), .data, item(), torch.tensor(…), no_grad() and changes "
            "in place."
        )
        yield relation(f"gradient of a part for {names}", says)


def _differs(came: object, expected: object) -> bool:
    if not (has_numbers(came) and has_numbers(expected)) or came.shape != expected.shape:
        return False
    return largest(as_numbers(came) - as_numbers(expected)) > FAR * largest(as_numbers(expected))


def _is_right(came: object, expected: object) -> bool:
    if has_numbers(came) and has_numbers(expected):
        return came.shape == expected.shape and not _differs(came, expected)
    return type(came) is type(expected) and came == expected
