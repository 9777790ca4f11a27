"""An encoder–decoder, part by part: its embeddings, its stacks, its mask, and the logits of a decoder alone."""

from typing import Any, cast

import torch
from torch import Tensor, nn

from course_lib.checks.finding import Finding
from course_lib.checks.observers.registry import observer
from course_lib.checks.observers.stacked_blocks import first_input, numbers_like, plain_tensor, with_first_input
from course_lib.checks.question import Outputs, Question
from course_lib.checks.student_call import call


@observer("embedded tokens", in_student_process=True)
def embedded_tokens(question: Question) -> Outputs:
    """What the first block of each stack gets."""
    name, model, src, tgt_in = _parts(question)
    return {
        "what the first encoder block gets": first_input(name, model, "encoder", lambda: model.encode(src.clone())),
        "what the first decoder block gets": first_input(
            name, model, "decoder", lambda: model.decode(tgt_in.clone(), _memory(model, src))
        ),
    }


@observer("source mask", in_student_process=True)
def source_mask(question: Question) -> Outputs:
    """The mask of the source."""
    name, model, src, _ = _parts(question)
    return {"source_mask(src)": call(name, model.source_mask, (src.clone(),))}


@observer("encoder blocks", in_student_process=True)
def encoder_blocks(question: Question) -> Outputs:
    """The memory, from numbers that the first block of the encoder is given."""
    name, model, src, _ = _parts(question)
    return {"encode(src)": with_first_input(name, model, "encoder", lambda: model.encode(src.clone()))}


@observer("decoder blocks", in_student_process=True)
def decoder_blocks(question: Question) -> Outputs:
    """The log-probabilities, from numbers that the first block of the decoder and the memory are given.

    Whether logits or log-probabilities are returned, another criterion asks.
    """
    name, model, src, tgt_in = _parts(question)
    returned = with_first_input(name, model, "decoder", lambda: model.decode(tgt_in.clone(), _memory(model, src)))
    logits = plain_tensor(returned).detach()
    if not logits.is_floating_point():
        what = f"holds {str(logits.dtype).removeprefix('torch.')}"
        raise Finding(what, "logits, a number for each token of the vocabulary", where="decode(tgt_in, memory)")
    return {"decode(tgt_in, memory), after a log-softmax": logits.log_softmax(-1)}


def _parts(question: Question) -> tuple[str, Any, Tensor, Tensor]:
    """The model has the methods of the exercise, which no class of torch knows."""
    return question.exercise, question.answer, question.argument("src", Tensor), question.argument("tgt_in", Tensor)


def _memory(model: nn.Module, src: Tensor) -> Tensor:
    width = cast(nn.Embedding, model.src_embedding).embedding_dim
    return numbers_like(torch.zeros(*src.shape, width, dtype=next(model.parameters()).dtype)).flip(1)
