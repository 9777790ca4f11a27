"""Whether a function returns a new tensor or one of its arguments."""

import torch
from torch import Tensor

from course_lib.checks.observers.registry import observer
from course_lib.checks.question import Outputs, Question
from course_lib.checks.student_call import require_tensor


@observer("shared memory", in_student_process=True)
def shared_memory(question: Question) -> Outputs:
    """Whether an output is one of the arguments, or a view of one."""
    copies = list(question.copies().values())
    returned = question.ask(*copies)
    addresses = {value.untyped_storage().data_ptr() for value in copies if isinstance(value, Tensor)}
    return {
        f"whether {key} is an argument handed back": _address(require_tensor(key, value)) in addresses
        for key, value in returned.items()
    }


def _address(value: Tensor) -> int | None:
    """Where its entries are stored; None for a layout without a storage, such as a sparse one."""
    return value.untyped_storage().data_ptr() if value.layout == torch.strided else None
