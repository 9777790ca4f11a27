"""What one finding says of its cause: the known mistakes that give the same, and those that give something else."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from torch import Tensor

from course_lib.cards.observed import Mistake

Mistakes = tuple[Mistake, ...]  # several were made at once


@dataclass(frozen=True)
class Observation:
    """What came and what was expected, by the names of the outputs; `asked` is the observer."""

    asked: str
    got: Mapping[str, object]
    expected: Mapping[str, object]
    parts: Mapping[str, Tensor] = field(default_factory=dict)  # the parameters of a module
    respond: Callable[[], Mistakes] = tuple  # how the answer responds to other arguments, where that is not right

    def is_like(self, other: "Observation") -> bool:
        """Whether both look at the same outputs."""
        return self.asked == other.asked and self.got.keys() == other.got.keys()

    def is_yes_or_no(self) -> bool:
        """Whether there are only answers to questions, which several mistakes may give alike."""
        return all(isinstance(value, bool) for value in self.expected.values())

    def differs_in_shape(self) -> bool:
        tensors = {name: value for name, value in self.got.items() if type(value) is Tensor}
        wanted = {name: self.expected.get(name) for name in tensors}
        return any(isinstance(w, Tensor) and w.shape != tensors[name].shape for name, w in wanted.items())


class Evidence:
    """`fitting` are the known mistakes that give just what was found."""

    def __init__(self, fitting: Sequence[Mistakes] = ()):
        self._fitting = fitting
        self.arguments: Mapping[str, object] = {}  # of the call
        self.observation: Observation | None = None

    @property
    def fitting(self) -> Sequence[Mistakes]:
        return self._fitting

    def fits(self, mistakes: Mistakes) -> bool:
        return mistakes in self.fitting

    def excludes(self, mistakes: Mistakes) -> bool:
        """Whether an answer with these mistakes would have failed in another way."""
        return False
