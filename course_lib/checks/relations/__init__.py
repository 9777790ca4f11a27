"""Relations: what holds exactly between an output as it came and as it was expected, found by search."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

import torch
from torch import Tensor

from course_lib.cards.observed import Mistake
from course_lib.checks.relations.distributions import blunt, other_axis, other_scores, other_support
from course_lib.checks.relations.extent import not_finite, wrong_part
from course_lib.checks.relations.extra_and_missing import diagonal, lengths, reductions, repeated
from course_lib.checks.relations.functions import applied, of_an_input
from course_lib.checks.relations.gradients import gradients_cut_off
from course_lib.checks.relations.inputs import handed_back, off_by_an_input
from course_lib.checks.relations.looks import dtype_only, low_precision, one_number, rounded, two_numbers_for_a_mask
from course_lib.checks.relations.numbers import of_numbers
from course_lib.checks.relations.order import reordered, shifted
from course_lib.checks.relations.pair import Pair, Relations, as_numbers, has_numbers, relation
from course_lib.checks.relations.parts import off_by_a_bias, parts_at_the_end
from course_lib.checks.relations.scale import amount_for_each, inverted, one_amount
from course_lib.checks.relations.which_outputs import changed_arguments, gradients_alone, lost_precision

Family = Callable[[Pair], Relations]

# from the most particular to the most general
FAMILIES: tuple[Family, ...] = (
    one_number,
    dtype_only,
    two_numbers_for_a_mask,
    handed_back,
    parts_at_the_end,
    off_by_a_bias,
    inverted,
    blunt,
    reordered,
    shifted,
    lengths,
    one_amount,
    applied,
    of_an_input,
    other_scores,
    other_support,
    off_by_an_input,
    not_finite,
    wrong_part,
    low_precision,
    rounded,
    reductions,
    diagonal,
    repeated,
    amount_for_each,
    other_axis,
)
OF_ROUNDING = (dtype_only, low_precision, rounded)  # where values are nearly right, what else holds is no cause
SEEN_AT_ONCE = (one_number, dtype_only, not_finite)  # the others need values that are not equal by chance
NUMBER = "relation/number "  # a single number fits by chance, so these must hold in two cases

Observations = Mapping[str, object]


def relations(
    got: Observations,
    want: Observations,
    arguments: Mapping[str, object],
    parts: Mapping[str, Tensor] = MappingProxyType({}),
    *,
    evidence: bool = True,
) -> tuple[Mistake, ...]:
    """Every relation of the vocabulary that holds in one case, the most particular first; never raises.

    `parts` are the parameters of a module. Without `evidence`, those relations too that may hold by chance, as in a
    case with little to compare.
    """
    try:
        with torch.no_grad():
            return tuple(dict.fromkeys(_relations(got, want, arguments, evidence, parts)))
    except Exception:  # an explanation comes on top: an answer that no one foresaw must not cost its examination
        return ()


def common_relations(
    cases: Sequence[tuple[Observations, Observations, Mapping[str, object], *tuple[Mapping[str, Tensor], ...]]],
    shown: int = 0,
) -> tuple[Mistake, ...]:
    """What holds in each of the cases, and in one of them, or two if it is about single numbers, not by chance.

    The sentences have the numbers of the case that is shown.
    """
    convincing = [mistake for case in cases for mistake in relations(*case)]
    possible = [{mistake: mistake for mistake in relations(*case, evidence=False)} for case in cases]
    return tuple(
        possible[shown][mistake]
        for mistake in dict.fromkeys(convincing)
        if all(mistake in held for held in possible)
        and (convincing.count(mistake) > 1 or not mistake.id.startswith(NUMBER))
    )


def _relations(
    got: Observations,
    want: Observations,
    arguments: Mapping[str, object],
    evidence: bool,
    parts: Mapping[str, Tensor] = MappingProxyType({}),
) -> Iterator[Mistake]:
    known = {name: as_numbers(value) for name, value in parts.items()}
    pairs = [replace(pair, parts=known) for pair in _pairs(got, want, arguments, evidence)]
    for family in FAMILIES:
        for pair in pairs:
            if family in OF_ROUNDING or (not pair.nearly_right and (pair.is_telling or family in SEEN_AT_ONCE)):
                yield from family(pair)
    for pair in pairs:
        yield from _apart_from_the_shape(pair)
    yield from gradients_cut_off(got, want)
    yield from of_numbers(got, want, arguments)
    for fallback in (changed_arguments, gradients_alone, lost_precision):
        yield from fallback(got, want)


def _apart_from_the_shape(pair: Pair) -> Iterator[Mistake]:
    """What holds of the entries where dimensions of size 1 are too many or missing."""
    sizes = [[size for size in values.shape if size > 1] for values in (pair.got, pair.want)]
    if pair.same_shape or sizes[0] != sizes[1]:
        return
    shaped = replace(pair, got=pair.got.reshape(pair.want.shape))
    if shaped.dtypes[0] == shaped.dtypes[1] and shaped.right.all():
        return  # then that is all there is to say
    for family in FAMILIES:
        if shaped.is_telling or family in SEEN_AT_ONCE:
            for mistake in family(shaped):
                says = f"Apart from the shape, {mistake.says[0].lower()}{mistake.says[1:]}"
                yield relation(f"apart from the shape: {mistake.id}", says)


def _pairs(got: Observations, want: Observations, arguments: Mapping[str, object], evidence: bool) -> Iterator[Pair]:
    """The outputs that are tensors and not right."""
    expected = {name: value for name, value in want.items() if has_numbers(value)}
    for name, value in expected.items():
        came = got.get(name)
        if not has_numbers(came):
            continue
        others = {other: as_numbers(one) for other, one in expected.items() if other != name}
        pair = Pair(name, as_numbers(came), as_numbers(value), (came.dtype, value.dtype), arguments, others, evidence)
        if not (pair.same_shape and came.dtype == value.dtype and pair.right.all()):
            yield pair
