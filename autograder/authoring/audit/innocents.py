"""Answers that no misconception and no relation covers: wrong at random, so that every diagnosis must stay silent."""

import re
from collections.abc import Iterable, Iterator

import torch
from torch import Tensor

from autograder.authoring.audit.altered_reference import AlteredReference, Change, is_compared
from autograder.authoring.audit.audit import Tally
from autograder.exam_types.exam import Exam

# attention weights with noise sum to something else; an output of several is wrong alone, whatever is wrong with it;
# noise at each call is what a dropout looks like, and no generator; a response is measured on the answer, so it is true
TRUE_OF_NOISE = re.compile(
    "relation/no distribution|relation/right but for|/.*dropout$|ignores-the-generator$|^response/"
)


def audit_innocents(exams: Iterable[Exam], seed: int = 0) -> Tally:
    """Grade every reference with outputs that are wrong at random."""
    problems, total = [], 0
    for exam in filter(is_compared, exams):
        for name, change in _changes(seed):
            altered = AlteredReference(exam, change)
            verdict = exam.grade(altered.answer, seed)
            if altered.changed:
                total += 1
                said = {mistake.id for criterion in verdict.criteria for mistake in criterion.mistakes}
                accused = sorted(id for id in said if not TRUE_OF_NOISE.search(id))
                problems += [f"{exam.exercise}, {name}: diagnosed as {', '.join(accused)}"] if accused else []
    return Tally(total, tuple(problems))


def _changes(seed: int) -> Iterator[tuple[str, Change]]:
    """Each with a generator of its own, so that no two calls get the same noise."""
    generator = torch.Generator().manual_seed(seed)

    def other(y: Tensor) -> Tensor:
        if y.dtype is torch.bool:
            return torch.rand(y.shape, generator=generator) < 0.5
        if not y.is_floating_point():
            return torch.randint(0, 30, y.shape, generator=generator, dtype=y.dtype)
        if y.numel() == 1:  # a gradient of one number has one direction only, so its length is left as it is
            return y + torch.randn(y.shape, generator=generator, dtype=y.dtype)
        noise = torch.randn(2, *y.shape, generator=generator, dtype=y.dtype)
        return noise[0] + y * noise[1] / 100  # so that a gradient arrives

    def half(y: Tensor, arguments: tuple) -> Tensor:
        kept = torch.rand(y.shape, generator=generator) < 0.5
        return torch.where(kept, y, other(y)) if y.numel() > 1 else other(y)

    def noisy(y: Tensor, arguments: tuple) -> Tensor:
        if y.is_floating_point() and y.numel() > 1:
            return y + 0.3 * other(y)
        return half(y, arguments)

    def unrelated(y: Tensor, arguments: tuple) -> Tensor:
        return torch.cos(7 * y + 1) if y.is_floating_point() and y.numel() > 1 else other(y)

    yield "with noise", noisy
    yield "random numbers", lambda y, arguments: other(y)
    yield "right on half of the entries", half
    yield "an unrelated formula", unrelated
