"""Damages that no author foresaw, done to the outputs of every reference: each must be caught, and described."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from autograder.authoring.audit.altered_reference import AlteredReference, Change, is_compared
from autograder.authoring.audit.audit import Tally
from autograder.exam_types.exam import Exam
from autograder.exam_types.verdict import Verdict

STILL_RIGHT = {("streaming_mask", "a dimension too many")}  # leading dimensions of size 1 are left to the student


@dataclass(frozen=True)
class Damage:
    """`says` is a pattern of the id of a relation that describes it; not every output can be damaged so."""

    name: str
    says: str
    change: Change


def audit_relations(exams: Iterable[Exam], seed: int = 0) -> Tally:
    """Grade every reference with every damage that changes it."""
    problems, total = [], 0
    for exam in filter(is_compared, exams):
        for damage in (damage for damage in DAMAGES if (exam.exercise, damage.name) not in STILL_RIGHT):
            altered = AlteredReference(exam, _of_many(damage.change))
            verdict = exam.grade(altered.answer, seed)
            if altered.changed:
                total += 1
                problems += [
                    f"{exam.exercise}, {damage.name}: {problem}" for problem in _problems(exam, verdict, damage, seed)
                ]
    return Tally(total, tuple(problems))


def _problems(exam: Exam, verdict: Verdict, damage: Damage, seed: int) -> Iterator[str]:
    named = {mistakes for criterion in verdict.criteria if (mistakes := criterion.causes)}
    ids = {mistake.id for mistakes in named for mistake in mistakes}
    described = any(re.search(damage.says, id) or id.startswith("relation/is ") for id in ids)
    if verdict.score >= verdict.points:
        yield "it loses no points"
    elif not described and not any(_gives_the_same(exam, mistakes, verdict, seed) for mistakes in named):
        yield f"described as {', '.join(sorted(ids)) or 'nothing'}"


def _gives_the_same(exam: Exam, mistakes: tuple, verdict: Verdict, seed: int) -> bool:
    """Whether a known mistake is the damage by another name: nothing that was found is different."""
    for known, answer in exam.known():
        if known == mistakes:
            theirs = exam.grade(answer, seed)
            if [c.observed for c in theirs.criteria] == [c.observed for c in verdict.criteria]:
                return True
    return False


def _of_many(change: Change) -> Change:
    """Only for outputs of several numbers: of one, little can be said."""
    return lambda y, arguments: change(y, arguments) if y.numel() > 1 else y


def _floating(change: Change) -> Change:
    """Only for outputs of floats."""
    return lambda y, arguments: change(y, arguments) if y.is_floating_point() else y


def _wide(change: Change) -> Change:
    """Only for outputs of two dimensions or more."""
    return lambda y, arguments: change(y, arguments) if y.ndim > 1 else y


def _unrelated(y: Tensor) -> Tensor:
    return torch.cos(7 * y + torch.arange(y.numel()).reshape(y.shape))


def _first_row_only(y: Tensor, arguments: tuple) -> Tensor:
    if not y[..., 0, :].any():  # a row of zeros is right too easily
        return y
    return torch.cat([y[..., :1, :], _unrelated(y)[..., 1:, :]], -2)


def _plus_an_input(y: Tensor, arguments: tuple) -> Tensor:
    same = (x for x in arguments if isinstance(x, Tensor) and x.shape == y.shape and x.is_floating_point())
    return y + next(same, 0)


DAMAGES = (
    Damage("times 3", "relation/factor", _floating(lambda y, _: 3 * y)),
    Damage("negated", "relation/sign", _floating(lambda y, _: -y)),
    Damage("plus ½", r"relation/plus 0\.5", _floating(lambda y, _: y + 0.5)),
    Damage("an input added", "relation/plus ", _floating(_plus_an_input)),
    Damage("last dimensions exchanged", "exchanged", _wide(lambda y, _: y.mT)),
    Damage("a dimension too many", "of size 1 too many", lambda y, _: y[None]),
    Damage("moved by one row", "rolled by 1|reversed along dim=-2", _wide(lambda y, _: y.roll(1, -2))),
    Damage("last dimension reversed", "reversed along dim=-1", lambda y, _: y.flip(-1) if y.ndim else y),
    Damage("first row only", "everywhere but at the first index", _floating(_wide(_first_row_only))),
    Damage("a softmax too many", "softmax dim=-1 taken", _floating(_wide(lambda y, _: y.softmax(-1)))),
    Damage("zeros", "relation/all zeros", lambda y, _: torch.zeros_like(y) + 0 * y),
    Damage("inverted", "relation/inverted", lambda y, _: ~y if y.dtype is torch.bool else y),
    Damage("in half precision", "precision of bfloat16", _floating(lambda y, _: y.bfloat16().to(y.dtype))),
    Damage(
        "without the first row", "without the first one", _wide(lambda y, _: y[..., 1:, :] if y.shape[-2] > 1 else y)
    ),
)
