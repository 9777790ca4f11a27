"""One output as it came and as it was expected, and when it may be said to equal something else."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeGuard

import torch
from torch import Tensor

from course_lib.cards.observed import Mistake
from course_lib.checks.compare import TOLERANCE

LARGEST = 100_000  # entries: a search takes a few milliseconds
ROUNDING = 1e-4  # relative, of what is equal; the expected numbers of a card have five decimals
EXPLAINED = 0.05  # an equality may leave this fraction of the difference to the expected values
DISTINCT = 4  # values in a tensor that equals another one not by chance
ENTRIES = 8  # or entries, where there are fewer values: masks, classes
UNUSUAL = 2  # of which so many differ from the others
FREEDOM = 4  # equations that are left when factors or differences have been fitted


@dataclass(frozen=True)
class Pair:
    """`got` and `want` are in float64; `others` are what was expected of the other outputs, `arguments` the inputs;
    `parts` are the parameters of a module.

    Without `evidence`, what may hold by chance counts too.
    """

    name: str
    got: Tensor
    want: Tensor
    dtypes: tuple[torch.dtype, torch.dtype]
    arguments: Mapping[str, object]
    others: Mapping[str, Tensor]
    evidence: bool = True
    parts: Mapping[str, Tensor] = field(default_factory=dict)

    @property
    def rounding(self) -> float:
        return max(ROUNDING, *(TOLERANCE.get(dtype, 0.0) for dtype in self.dtypes))

    @property
    def same_shape(self) -> bool:
        return self.got.shape == self.want.shape

    @property
    def is_logical(self) -> bool:
        return self.dtypes[1] is torch.bool

    @cached_property
    def tensors(self) -> dict[str, Tensor]:
        """The arguments that are tensors."""
        return {name: as_numbers(value) for name, value in self.arguments.items() if has_numbers(value)}

    @cached_property
    def right(self) -> Tensor:
        """Where an output of the expected shape has the expected values, by the measure of a check."""
        tolerance = max(TOLERANCE.get(dtype, 0.0) for dtype in self.dtypes)
        return torch.isclose(self.got, self.want, rtol=tolerance, atol=tolerance)

    @cached_property
    def nearly_right(self) -> bool:
        """Whether it would be right if rounding were as coarse as the relations have it."""
        if not self.same_shape or self.dtypes[0] != self.dtypes[1]:
            return False
        close = torch.isclose(self.got, self.want, rtol=self.rounding, atol=0.3 * self.rounding * largest(self.want))
        return bool(close.all())

    @cached_property
    def is_telling(self) -> bool:
        return not self.evidence or (is_telling(self.got) and is_telling(self.want))

    @property
    def freedom(self) -> int:
        """How many more equations than fitted numbers are needed; none if chance counts too."""
        return FREEDOM if self.evidence else 0

    @cached_property
    def _scale(self) -> float:
        return max(largest(self.got), largest(self.want))

    def names_of_axis(self, axis: int) -> list[str]:
        """A dimension of the output by its place, and by the argument that chooses it."""
        chosen = self.arguments.get("dim")
        return [dim_name(axis, self.want.ndim), *(["dim"] if chosen in (axis, axis - self.want.ndim) else [])]

    def equals(self, candidate: Tensor) -> bool:
        """Whether all that came is the candidate, which says more than that it differs from what was expected."""
        return candidate.shape == self.got.shape and self.same(self.got, candidate, self.want)

    def is_reached_from(self, candidate: Tensor) -> bool:
        """Whether the candidate, made of what came, is what was expected."""
        return candidate.shape == self.want.shape and self.same(self.want, candidate, self.got)

    def differs_by(self, term: Tensor) -> bool:
        """Whether what came is what was expected plus this term, even where the term is far larger."""
        if not self.equals(self.want + term):
            return False
        return largest(self.got - self.want - term) < EXPLAINED * largest(self.want - self.want.mean())

    def same(self, part: Tensor, candidate: Tensor, instead: Tensor | None = None) -> bool:
        """Whether they are equal up to rounding, far nearer than `instead`, and not equal by chance."""
        if part.numel() != candidate.numel() or self._differs_at_once(part, candidate):
            return False
        close = torch.isclose(part, candidate, rtol=self.rounding, atol=0.3 * self.rounding * largest(candidate))
        if not close.all() or (self.evidence and not is_telling(candidate)):
            return False
        if instead is None or instead.shape != part.shape:
            return True
        return largest(part - candidate) < EXPLAINED * largest((part - instead).nan_to_num(nan=1.0))

    def _differs_at_once(self, part: Tensor, candidate: Tensor) -> bool:
        """Whether the last entries differ by far: most candidates need no longer look."""
        corner = (-1,) * part.ndim
        one, other = part[corner].item(), candidate[corner].item()
        return one != other and not abs(one - other) <= 2 * self.rounding * (abs(other) + self._scale)

    @property
    def yours(self) -> str:
        """The student's own name for it, as the subject of a sentence."""
        name = self.name.strip()
        name += "," if "," in name and not name.endswith((",", ")", "]")) else ""
        if name.startswith(("the ", "what ")):
            return name[0].upper() + name[1:]
        return f"Your {name}"

    @property
    def your(self) -> str:
        """The same inside a sentence."""
        return self.yours[0].lower() + self.yours[1:]

    @property
    def equal(self) -> str:
        return self.either("equals the expected one", "equal the expected ones")

    @property
    def be(self) -> str:
        return self.either("is", "are")

    def either(self, singular: str, plural: str) -> str:
        """The form that goes with the name of the output."""
        word = re.split(r"\W", self.name.removeprefix("the "))[0]
        return plural if word.endswith("s") and not word.endswith(("ss", "as", "is", "us")) else singular


def relation(name: str, says: str) -> Mistake:
    """A relation as it is shown: its name is the same in cases of other sizes."""
    return Mistake(f"relation/{name}", says)


def listed(words: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


Relations = Iterator[Mistake]


def has_numbers(value: object) -> TypeGuard[Tensor]:
    """Whether it is a tensor with entries that can be compared as real numbers, and not too many."""
    if type(value) is not Tensor or value.layout is not torch.strided or value.is_nested:
        return False
    if value.is_complex() or value.is_quantized or value.device.type == "meta":
        return False
    return 0 < value.numel() <= LARGEST


def as_numbers(value: Tensor) -> Tensor:
    return value.detach().cpu().double()


def largest(values: Tensor) -> float:
    """The largest finite magnitude."""
    finite = values[values.isfinite()]
    return finite.abs().max().item() if finite.numel() else 0.0


def is_telling(values: Tensor, entries: int = ENTRIES) -> bool:
    """Whether another tensor is hardly equal to this one by chance: it has many values, or many entries of some."""
    scale = largest(values) or 1.0
    kinds, counts = (values / scale).round(decimals=6).unique(return_counts=True)
    return len(kinds) >= DISTINCT or (values.numel() >= entries and values.numel() - int(counts.max()) >= UNUSUAL)


def dim_name(axis: int, ndim: int) -> str:
    """`dim=-1` for the last one: counted from the end, so that a batch changes no name; only the batch is `dim=0`."""
    return f"dim={axis if axis == 0 and ndim >= 3 else axis - ndim}"
