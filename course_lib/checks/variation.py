"""A variation of a case: other inputs, or a second call, where an answer may fail that is right on the usual ones."""

from collections.abc import Callable
from dataclasses import replace

from torch import Tensor

from course_lib.cards.observed import Mistake
from course_lib.checks.case import Case
from course_lib.checks.finding import Finding, finding_of

SHARE = 0.5  # of a criterion's points, for an answer that is right on the usual inputs


KEPT = Mistake(
    "variation/kept",
    "A new module gives the right result here, and one that was called before does not: yours keeps something of an "
    "earlier call, such as a mask, a length or an output. Make it anew in each call.",
)


def examine_variation(case: Case, answer: object, anew: Callable[[], object] | None = None) -> None:
    """Examine an answer that is right on the usual inputs: what is found says on which, and leaves a share.

    `anew` makes a module as the answer was before its first call.
    """
    found = _finding(case, answer)
    if found is None:
        return
    if anew and _finding(case, anew()) is None:
        found = found.explained((KEPT,))
    shapes = (f"{name} {tuple(value.shape)}" for name, value in case.arguments.items() if isinstance(value, Tensor))
    where = f"{found.observed.where} for {', '.join(shapes)}".strip()
    shown = finding_of(replace(found.observed, where=where), share=SHARE, mistakes=found.mistakes)
    raise shown if found.mistakes else shown.weighed(lambda: found.evidence)


def _finding(case: Case, answer: object) -> Finding | None:
    try:
        case.examine(answer)
    except Finding as finding:
        return finding
    return None
