"""Variations of a case: other inputs, or another call, for an answer that is right on the usual inputs."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from torch import Tensor

from course_lib.cards.observed import Mistake
from course_lib.checks.case import Case
from course_lib.checks.evidence import Evidence, Mistakes
from course_lib.checks.finding import Finding, finding_of

SHARE = 0.5  # of a criterion's points, for an answer that is right on the usual inputs
KEPT = Mistake(
    "variation/kept",
    "A new module gives the right result here, and one that was called before does not: yours keeps something of an "
    "earlier call, such as a mask, a length or an output. Make it anew in each call.",
)


def examine_variation(case: Case, answer: object, usual: Case, anew: Callable[[], object] | None = None) -> None:
    """Examine an answer that is right in the usual case: what is found says on which inputs, and leaves a share.

    `anew` makes a module as the answer was before its first call.
    """
    found = _finding(case, answer)
    if found is None:
        return
    shapes = (f"{name} {tuple(value.shape)}" for name, value in case.arguments.items() if isinstance(value, Tensor))
    where = f"{found.observed.where} for {', '.join(shapes)}".strip()
    kept = (KEPT,) if anew and _finding(case, anew()) is None else ()
    shown = finding_of(replace(found.observed, where=where), share=SHARE, mistakes=kept)
    raise shown if kept else shown.weighed(lambda: PassedBefore(found.evidence, usual.would_pass))


def examine_second_call(variations: Sequence[Case], usual: Case, anew: Callable[[], object]) -> None:
    """Ask the usual inputs of a new module after the smallest variation: it may keep the sizes of that call."""
    alike = [variation for variation in variations if variation.observe == usual.observe]
    if not alike:
        return
    module = anew()
    smallest = min(alike, key=_size)
    if _finding(smallest, module) is None and (found := _finding(usual, module)):
        raise finding_of(found.observed, share=SHARE, mistakes=(KEPT,))


def _size(case: Case) -> int:
    return sum(value.numel() for value in case.arguments.values() if isinstance(value, Tensor))


def _finding(case: Case, answer: object) -> Finding | None:
    try:
        case.examine(answer)
    except Finding as finding:
        return finding
    return None


class PassedBefore(Evidence):
    """Evidence on an answer that passed an earlier case, which a mistake behind it passes too."""

    def __init__(self, evidence: Evidence, passes: Callable[[Mistakes], bool]) -> None:
        super().__init__()
        self.arguments, self.observation = evidence.arguments, evidence.observation
        self._evidence, self._passes = evidence, passes

    @property
    def fitting(self) -> Sequence[Mistakes]:
        return [mistakes for mistakes in self._evidence.fitting if self._passes(mistakes)]

    def excludes(self, mistakes: Mistakes) -> bool:
        return self._evidence.excludes(mistakes) or not self._passes(mistakes)
