"""A mask over queries and keys, (n, n), with any number of leading dimensions of size 1."""

from course_lib.checks.observers.registry import observer
from course_lib.checks.observers.return_values import values
from course_lib.checks.question import Outputs, Question
from course_lib.checks.student_call import require_tensor


@observer("mask of queries and keys")
def mask_of_queries_and_keys(question: Question) -> Outputs:
    """The mask without its leading dimensions of size 1."""
    masks: Outputs = {}
    for name, value in values(question).items():
        mask = require_tensor(name, value)
        while mask.ndim > 2 and mask.shape[0] == 1:
            mask = mask[0]
        masks[name] = mask
    return masks
