"""How a function decodes greedily, with a model that writes by a rule."""

import torch
from torch import Tensor

from course_lib.checks.finding import Finding
from course_lib.checks.observers.fake_models import Writer
from course_lib.checks.observers.registry import observer
from course_lib.checks.observers.return_values import values
from course_lib.checks.question import Outputs, Question
from course_lib.checks.student_call import require_tensor

AFTER_THE_END = -1.0


@observer("decoded tokens")
def decoded_tokens(question: Question) -> Outputs:
    """The tokens of each row up to its own EOS; what follows is left out."""
    _, tokens = _decode(question)
    eos_id, max_len = question.argument("eos_id", int), question.argument("max_len", int)
    rows = len(question.argument("src", Tensor))
    if tokens.ndim != 2 or len(tokens) != rows:
        raise Finding(f"tokens has shape {tuple(tokens.shape)}", f"({rows}, n), one row for each source")
    kept = torch.full((rows, max(max_len, tokens.shape[1])), AFTER_THE_END)
    for row, line in enumerate(tokens.tolist()):
        end = line.index(eos_id) + 1 if eos_id in line else len(line)
        kept[row, :end] = torch.tensor(line[:end], dtype=torch.float32)
    return {"tokens (−1 after EOS)": kept}


@observer("gradients and training mode")
def gradients_and_training_mode(question: Question) -> Outputs:
    """Whether decoding records gradients, and whether a model in training mode is back in it afterwards."""
    model, _ = _decode(question)
    return {
        "whether gradients are recorded while it writes": any(model.notes["gradients"]),
        "whether a model that was training is in training mode again": model.training,
    }


@observer("encoder calls")
def encoder_calls(question: Question) -> Outputs:
    """How often the source is encoded."""
    model, _ = _decode(question)
    return {"how often model.encode is called": len(model.notes["sources"])}


def _decode(question: Question) -> tuple[Writer, Tensor]:
    model = Writer(dropout=question.arguments["model"] == "with dropout")
    returned = values(question.with_arguments(model=model))
    return model, require_tensor("tokens", returned["tokens"])
