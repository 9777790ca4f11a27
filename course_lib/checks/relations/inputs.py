"""Equal to an input or to another output, or off by one of them."""

from collections.abc import Iterator

from torch import Tensor

from course_lib.checks.relations.amounts import words_for, written
from course_lib.checks.relations.pair import Pair, Relations, is_telling, relation

MOST_SLICES = 64


def handed_back(pair: Pair) -> Relations:
    """An argument or another output in place of this one."""
    for name, other in pair.others.items():
        if pair.equals(other):
            yield relation(f"is the other output {name}", f"{pair.yours} {pair.be} what is expected as {name}.")
    equal = pair.either("equals", "equal")
    for name, value in pair.tensors.items():
        start = f"{pair.yours} {equal} the input {name}"
        if pair.equals(value):
            yield relation(f"is {name}", f"{start}.")
        elif value.ndim > 1 and pair.equals(value.mT):
            yield relation(f"is {name} transposed", f"{start} with its last two dimensions exchanged.")
        elif value.ndim == pair.got.ndim + 1 and value.shape[1:] == pair.got.shape and len(value) <= MOST_SLICES:
            for index, part in enumerate(value):
                if pair.equals(part):
                    yield relation(
                        f"is a part of {name}", f"{pair.yours} {equal} {name}[{index}], a part of the input."
                    )
        elif value.shape == pair.got.shape:
            factor = _factor(pair.got, value, pair.freedom)
            if factor and pair.equals(value * factor):
                for words in words_for(factor, pair.arguments):
                    yield relation(f"is {name} times {words}", f"{start} times {words}.")


def off_by_an_input(pair: Pair) -> Relations:
    """An argument missing or added, once or several times."""
    if not pair.same_shape or pair.is_logical or not pair.want.isfinite().all():
        return
    difference = pair.got - pair.want
    for name, value in pair.tensors.items():
        argument = pair.arguments[name]
        if not isinstance(argument, Tensor) or not argument.is_floating_point():
            continue  # ids are looked up and masks filled in, not added
        for words, term in _terms(name, value, pair):
            factor = _factor(difference, term, pair.freedom)
            if factor and pair.differs_by(factor * term):
                sign, times = ("plus", factor) if factor > 0 else ("minus", -factor)
                amount = words if abs(times - 1) < 1e-3 else f"{written(times)} times {words}"
                yield relation(f"{sign} {amount}", f"{pair.yours} {pair.equal} {sign} {amount}.")
                if amount != words:
                    yield relation(f"{sign} a multiple of {words}", f"{pair.yours} {pair.equal} {sign} {amount}.")


def _terms(name: str, value: Tensor, pair: Pair) -> Iterator[tuple[str, Tensor]]:
    """What may have been added: the argument, as it is, transposed, or its sum or mean over a dimension."""
    candidates = [(name, value)]
    if value.ndim > 1:
        candidates.append((f"{name} transposed", value.mT))
        for axis in (-1, -2):
            candidates += [
                (f"{name}.sum(dim={axis})", value.sum(axis, keepdim=True)),
                (f"{name}.mean(dim={axis})", value.mean(axis, keepdim=True)),
            ]
    for words, term in candidates:
        try:
            spread = term.expand(pair.want.shape)
        except RuntimeError:
            continue
        if not pair.evidence or is_telling(spread):
            yield words, spread


def _factor(values: Tensor, of: Tensor, fewest: int) -> float:
    """By which `of` comes nearest to the values; 0 if there are fewer entries to fit one."""
    if not of.any() or (of != 0).sum() < fewest or not of.isfinite().all():
        return 0.0
    return ((values * of).sum() / of.square().sum()).item()
