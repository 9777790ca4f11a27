"""What one finding says of its cause: the known mistakes that give the same, and those that give something else."""

from collections.abc import Mapping
from dataclasses import dataclass

from course_lib.cards.observed import Mistake

Mistakes = tuple[Mistake, ...]  # several were made at once


@dataclass(frozen=True)
class Observation:
    """What came and what was expected, by the names of the outputs, for these arguments; `asked` is the observer."""

    asked: str
    got: Mapping[str, object]
    expected: Mapping[str, object]
    arguments: Mapping[str, object]

    def is_like(self, other: "Observation") -> bool:
        """Whether both look at the same outputs."""
        return self.asked == other.asked and self.got.keys() == other.got.keys()


@dataclass(frozen=True)
class Evidence:
    """`excluded` are the known mistakes that would have failed in another way."""

    fitting: tuple[Mistakes, ...] = ()
    excluded: frozenset[Mistakes] = frozenset()
    observation: Observation | None = None
