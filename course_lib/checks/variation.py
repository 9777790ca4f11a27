"""Variations of a case: other inputs for an answer that is right on the usual ones."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from torch import Tensor

from course_lib.checks.case import Case
from course_lib.checks.evidence import Evidence, Mistakes
from course_lib.checks.finding import Finding, finding_of

SHARE = 0.5  # of a criterion's points, for an answer that is right on the usual inputs


def examine_variation(case: Case, answer: object, usual: Case) -> None:
    """Examine an answer that is right in the usual case: what is found says on which inputs, and leaves a share."""
    try:
        case.examine(answer)
    except Finding as finding:
        found = finding
    else:
        return
    shapes = (f"{name} {tuple(value.shape)}" for name, value in case.arguments.items() if isinstance(value, Tensor))
    where = f"{found.observed.where} for {', '.join(shapes)}".strip()
    observed = replace(found.observed, where=where)
    raise finding_of(observed, share=SHARE).weighed(lambda: PassedBefore(found.evidence, usual.would_pass))


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
