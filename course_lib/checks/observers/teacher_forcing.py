"""One step of training with teacher forcing, with a model that notes what it gets."""

import torch
from torch import Tensor

from course_lib.checks.finding import Finding
from course_lib.checks.observers.fake_models import Writer
from course_lib.checks.observers.registry import observer
from course_lib.checks.observers.return_values import values
from course_lib.checks.question import Outputs, Question
from course_lib.checks.student_call import require_tensor

MORE = 2  # columns of padding
SAME = 1e-5


@observer("tokens read")
def tokens_read(question: Question) -> Outputs:
    """The target tokens that the model is given as its input."""
    read, _ = _step(question)
    return {"the decoder input tgt_in": read}


@observer("training step")
def training_step(question: Question) -> Outputs:
    """The loss, and how the model is run for it."""
    model, _, loss = _run(question)
    return {
        "loss": loss,
        "whether gradients are recorded": model.notes["gradients"][0],
        "the mode of the model": "training" if model.training else "eval",
    }


@observer("effect of padding")
def effect_of_padding(question: Question) -> Outputs:
    """Whether more padding behind the targets changes the loss; another token must."""
    tgt, pad_id = question.argument("tgt", Tensor), question.argument("pad_id", int)
    other = tgt.clone()
    other[0, 0] = tgt[0, 0] - 1 if tgt[0, 0] - 1 != pad_id else tgt[0, 0] + 1
    longer = torch.cat([tgt, tgt.new_full((len(tgt), MORE), pad_id)], 1)
    loss, again, of_other, of_longer = (
        require_tensor("loss", _step(question.with_arguments(tgt=target))[1]).detach()
        for target in (tgt, tgt, other, longer)
    )
    if not torch.allclose(loss, again, rtol=SAME, atol=SAME, equal_nan=True):
        detail = "does something random stay on, such as dropout?"
        raise Finding("differs when it is computed again for the same batch", detail=detail, where="loss")
    return {
        "whether more padding changes the loss": not torch.allclose(loss, of_longer, rtol=SAME, atol=SAME),
        "whether another target token changes the loss": not torch.allclose(loss, of_other, rtol=SAME, atol=SAME),
    }


def _step(question: Question) -> tuple[Tensor, object]:
    """What the model was given, and the loss."""
    _, read, loss = _run(question)
    return read, loss


def _run(question: Question) -> tuple[Writer, Tensor, object]:
    model, name = Writer(), question.exercise
    returned = values(question.with_arguments(model=model))
    read = model.notes["targets"]
    if len(read) != 1:
        raise Finding(f"calls model(src, tgt_in) {len(read)} times", "once", where=name)
    return model, read[0], returned["loss"]
