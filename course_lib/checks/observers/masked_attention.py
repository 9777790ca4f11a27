"""What a mask does to attention weights."""

from torch import Tensor

from course_lib.checks.finding import Finding
from course_lib.checks.observers.registry import observer
from course_lib.checks.observers.return_values import values
from course_lib.checks.question import Outputs, Question
from course_lib.checks.student_call import require_tensor


@observer("effect of the mask")
def effect_of_the_mask(question: Question) -> Outputs:
    """The weights of masked keys, the sums over all keys, and whether the other weights can be probabilities."""
    weights = require_tensor("weights", values(question)["weights"])
    mask = question.argument("mask", Tensor)
    try:
        mask = mask.expand_as(weights)
    except RuntimeError:
        raise Finding(f"weights has shape {tuple(weights.shape)}, but the mask {tuple(mask.shape)}") from None
    visible = weights.masked_fill(mask, 0.0)
    return {
        "the weight of the masked key ": weights.masked_fill(~mask, 0.0),
        "weights.sum(-1)": weights.sum(-1),
        "whether the weight of a visible key is below 0 or above 1": bool(((visible < 0) | (visible > 1 + 1e-3)).any()),
    }
