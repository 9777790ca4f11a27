"""What one finding says of its cause: the known mistakes that give the same, and those that give something else."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from course_lib.cards.observed import Mistake

Mistakes = tuple[Mistake, ...]  # several were made at once


def nothing() -> Sequence[Mistake]:
    return ()


@dataclass(frozen=True)
class Evidence:
    """`excluded` are the known mistakes that would have failed in another way. `describe` gives what can be said
    where no known mistake fits; `outputs` names what it describes."""

    fitting: tuple[Mistakes, ...] = ()
    excluded: frozenset[Mistakes] = frozenset()
    outputs: tuple[str, ...] = ()
    describe: Callable[[], Sequence[Mistake]] = nothing
