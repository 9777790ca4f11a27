"""Variations of a case: inputs on which an answer may fail that is right on the usual ones."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import torch
from torch import Tensor

from course_lib.checks.case import Case
from course_lib.checks.evidence import Evidence, Mistakes
from course_lib.checks.finding import Finding, finding_of
from course_lib.checks.question import Outputs

LARGEST_NDIM = 8
SHARE = 0.5  # of a criterion's points, for an answer that is right on the usual inputs


def with_a_size_of_one(inputs: Sequence[object], fixed: Sequence[object] = ()) -> Iterator[list[object]]:
    """The inputs, cut down to the first entry along each dimension in turn: a stray `squeeze` shows there.

    Dimensions of one size are the same dimension, since the sizes of a case differ. Sizes that are also numbers among
    the inputs, or that are `fixed`, stay.
    """
    tensors = [value for value in inputs if isinstance(value, Tensor)]
    numbers = {value for value in (*inputs, *fixed) if isinstance(value, int)}
    for size in sorted({size for tensor in tensors for size in tensor.shape} - numbers - {1}):
        yield [_cut(value, size) if isinstance(value, Tensor) else value for value in inputs]


def with_all_sizes_of_one(inputs: Sequence[object], fixed: Sequence[object] = ()) -> list[object]:
    """The inputs, cut down along all dimensions at once that may be."""
    cut = list(inputs)
    for _ in range(LARGEST_NDIM):
        cut = next(with_a_size_of_one(cut, fixed), cut)
    return cut


def _cut(tensor: Tensor, size: int) -> Tensor:
    cut = tensor[tuple(slice(0, 1) if length == size else slice(None) for length in tensor.shape)]
    if cut.dtype == torch.bool and cut.ndim:
        cut = cut & ~cut.all(-1, keepdim=True)  # a query whose keys are all masked is a question of its own
    return cut.contiguous()


def is_judgeable(expected: Outputs) -> bool:
    """Whether the reference gives numbers that can be compared."""
    tensors = [value for value in expected.values() if isinstance(value, Tensor)]
    return all(bool(tensor.isfinite().all()) and tensor.numel() > 0 for tensor in tensors)


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
