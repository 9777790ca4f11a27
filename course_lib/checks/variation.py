"""A variation of a case: other inputs, or a second call, on which an answer may fail that is right on the usual ones."""

from dataclasses import replace

from torch import Tensor

from course_lib.checks.case import Case
from course_lib.checks.finding import Finding, finding_of

SHARE = 0.5  # of a criterion's points, for an answer that is right on the usual inputs


def examine_variation(case: Case, answer: object) -> None:
    """Examine an answer that is right on the usual inputs: what is found says on which, and leaves a share."""
    try:
        case.examine(answer)
    except Finding as finding:
        found = finding
    else:
        return
    shapes = (f"{name} {tuple(value.shape)}" for name, value in case.arguments.items() if isinstance(value, Tensor))
    where = f"{found.observed.where} for {', '.join(shapes)}".strip()
    raise finding_of(replace(found.observed, where=where), share=SHARE).weighed(lambda: found.evidence)
