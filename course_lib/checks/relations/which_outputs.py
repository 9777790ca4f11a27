"""Which of the things that were looked at are wrong: some outputs, an argument after the call, gradients alone."""

from collections.abc import Mapping, Sequence

from course_lib.checks.relations.pair import Pair, Relations, has_numbers, listed, relation

ARGUMENT, AFTER, GRADIENT = "the argument ", " after the call", "the gradient of "


def changed_in_place(pairs: Sequence[Pair]) -> Relations:
    """An argument is not what it was before the call."""
    for pair in pairs:
        if pair.name.startswith(ARGUMENT) and AFTER in pair.name:
            name = pair.name.removeprefix(ARGUMENT).partition(",")[0]
            says = (
                f"Your code writes into its argument {name}, which belongs to the caller. What does that: an "
                f"assignment to a part of it, an operator such as +=, a method that ends in an underscore."
            )
            yield relation(f"{name} changed in place", says)


def gradients_alone(pairs: Sequence[Pair]) -> Relations:
    """Values are right, since they are asked first, and their gradients are not."""
    names = [pair.name for pair in pairs if pair.name.startswith(GRADIENT)]
    if names:
        says = (
            f"Your values are right, but {listed(names)} {'is' if len(names) == 1 else 'are'} not what follows from "
            "them. A part of the computation is cut off: what does that is detach(), no_grad(), or a number taken out "
            "of a tensor."
        )
        yield relation("values right, gradients not", says)


def right_but_for(pairs: Sequence[Pair], got: Mapping[str, object], want: Mapping[str, object]) -> Relations:
    """Some outputs are right and others are not."""
    asked = [name for name, value in want.items() if has_numbers(value) and " " not in name]  # not made by an observer
    wrong = [name.strip() for name in asked if any(pair.name == name for pair in pairs)]
    if wrong and len(wrong) < len(asked) and all(has_numbers(got.get(name)) for name in asked):
        says = (
            f"Of what is compared, only {listed(wrong)} {'is' if len(wrong) == 1 else 'are'} wrong; the rest is right."
        )
        yield relation(f"right but for {listed(wrong)}", says)
