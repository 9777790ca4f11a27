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
    src = question.argument("src", Tensor)
    kept = _up_to_eos(question)
    _up_to_eos(question.with_arguments(src=src[:1]))  # a stray `squeeze` shows in a batch of one
    return {"tokens (−1 after EOS)": kept}


def _up_to_eos(question: Question) -> Tensor:
    _, tokens = _decode(question)
    eos_id, max_len = question.argument("eos_id", int), question.argument("max_len", int)
    rows = len(question.argument("src", Tensor))
    if tokens.ndim != 2 or len(tokens) != rows:
        raise Finding(f"tokens has shape {tuple(tokens.shape)}", f"({rows}, n), one row for each source")
    kept = torch.full((rows, max(max_len, tokens.shape[1])), AFTER_THE_END)
    for row, line in enumerate(tokens.tolist()):
        end = line.index(eos_id) + 1 if eos_id in line else len(line)
        kept[row, :end] = torch.tensor(line[:end], dtype=torch.float32)
    return kept


@observer("gradients while decoding")
def gradients_while_decoding(question: Question) -> Outputs:
    """Whether decoding records gradients."""
    model, _ = _decode(question)
    return {"whether gradients are recorded while it writes": any(model.notes["gradients"])}


@observer("mode after decoding")
def mode_after_decoding(question: Question) -> Outputs:
    """The mode that a model is left in, once of one in training mode and once of one in eval mode."""
    modes = {True: "training", False: "eval"}
    return {
        f"the mode of a model that was in {mode} mode": f"{modes[_decode(question, training)[0].training]} mode"
        for training, mode in modes.items()
    }


@observer("encoder calls")
def encoder_calls(question: Question) -> Outputs:
    """How often the source is encoded."""
    model, _ = _decode(question)
    return {"how often model.encode is called": len(model.notes["sources"])}


def _decode(question: Question, training: bool = True) -> tuple[Writer, Tensor]:
    model = Writer(question.arguments["model"] == "with dropout", question.argument("eos_id", int)).train(training)
    returned = values(question.with_arguments(model=model))
    return model, require_tensor("tokens", returned["tokens"])
