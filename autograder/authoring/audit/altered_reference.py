"""The reference of a code or module exam, with its first output changed on the way out."""

from collections.abc import Callable
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn

from autograder.exam_types import CodeExam, ModuleExam
from autograder.exam_types.exam import Answer, Exam

# several calls are put together, padding is left out, or an attention is run with what is returned
ASKED_IN_ANOTHER_WAY = {
    *("greedy_decode", "cached_attention", "DecoderOnly"),
    *("preserve", "dilute", "identity_head", "shift_head", "convolution_head"),
}

# what is made of an output, given the arguments of the call
Change = Callable[[Tensor, tuple], Tensor]


@dataclass
class AlteredReference:
    """`answer` is what to grade; `changed` says afterwards whether any output really was another one."""

    exam: Exam
    change: Change
    changed: bool = field(default=False, init=False)

    @property
    def answer(self) -> Answer:
        reference = self.exam.reference
        if not isinstance(reference, type):
            return lambda *arguments, **options: self._altered(reference(*arguments, **options), arguments)
        return type(reference.__name__, (reference,), {"forward": self._forward(reference)})

    def _forward(self, reference: type[nn.Module]) -> Callable:
        def forward(module: nn.Module, *arguments: object, **options: object) -> object:
            return self._altered(reference.forward(module, *arguments, **options), arguments)

        return forward

    def _altered(self, returned: object, arguments: tuple) -> object:
        if isinstance(returned, tuple):
            return (self._altered(returned[0], arguments), *returned[1:])
        if not isinstance(returned, Tensor) or not returned.numel():
            return returned
        altered = self.change(returned, arguments)
        self.changed |= altered.dtype != returned.dtype or not torch.equal(altered, returned)
        return altered


def is_compared(exam: Exam) -> bool:
    """Whether it asks for a function or a module whose first output is compared as it is."""
    return isinstance(exam, CodeExam | ModuleExam) and exam.exercise not in ASKED_IN_ANOTHER_WAY
