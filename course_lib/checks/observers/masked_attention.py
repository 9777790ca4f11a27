"""What a mask does to attention weights."""

from torch import Tensor

from course_lib.checks.finding import Finding
from course_lib.checks.observers.registry import observer
from course_lib.checks.observers.return_values import values
from course_lib.checks.question import Outputs, Question
from course_lib.checks.student_call import require_tensor


@observer("effect of the mask")
def effect_of_the_mask(question: Question) -> Outputs:
    """The weights of blocked keys and the sums over all keys, for a mask of the shape of the weights."""
    weights = require_tensor("weights", values(question)["weights"])
    mask = question.argument("mask", Tensor)
    if weights.shape != mask.shape:
        raise Finding(f"weights has shape {tuple(weights.shape)}", f"{tuple(mask.shape)}, that of the mask")
    return {
        "the weight of the blocked key ": weights.masked_fill(~mask, 0.0),
        "weights.sum(-1)": weights.sum(-1),
    }
