"""The three methods of an encoder-decoder that decoding uses."""

from typing import Protocol, runtime_checkable

from torch import Tensor

from course_lib.checks.observers.registry import observer
from course_lib.checks.question import Outputs, Question
from course_lib.checks.remote_task import runs_in_student_process
from course_lib.checks.student_call import call


@runtime_checkable
class EncoderDecoder(Protocol):
    """The methods of a student's Transformer that are observed."""

    def encode(self, src: Tensor) -> Tensor: ...

    def source_mask(self, src: Tensor) -> Tensor: ...

    def decode(self, tgt_in: Tensor, memory: Tensor) -> Tensor: ...


@observer("encoder and decoder")
def encoder_and_decoder(question: Question) -> Outputs:
    """The memory, the source mask, and the logits of a decoder that is given a memory without a mask."""
    src, tgt_in = question.arguments["src"], question.arguments["tgt_in"]
    returned = encode_and_decode(question.exercise, question.answer, src, tgt_in)
    return dict(zip(("encode(src)", "source_mask(src)", "decode(tgt_in, memory)"), returned, strict=True))


@runs_in_student_process
def encode_and_decode(name: str, answer: object, src: Tensor, tgt_in: Tensor) -> list:
    """What encode, source_mask and decode return."""
    return call(name, _encode_and_decode, (answer, src, tgt_in))


def _encode_and_decode(model: EncoderDecoder, src: Tensor, tgt_in: Tensor) -> list:
    memory = model.encode(src.clone())
    return [memory, model.source_mask(src.clone()), model.decode(tgt_in.clone(), memory)]
