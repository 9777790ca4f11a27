"""What unit 06 looks at: what a decoder writes, what a training step reads, and what a cache keeps."""

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor, nn

from course_lib.checks.answer_forms.numbers import read_number
from course_lib.checks.finding import Finding
from course_lib.checks.observers.fake_models import OneHead, Writer
from course_lib.checks.observers.return_values import Outputs, copy
from course_lib.checks.remote_task import runs_in_student_process
from course_lib.checks.student_call import call, named_outputs, require_tensor

AFTER_THE_END = -1.0


def written_tokens(
    name: str,
    answer: object,
    arguments: Mapping[str, object],
    outputs: Sequence[str],
    forbidden: Sequence[str] = (),
) -> Outputs:
    """The tokens of each row up to its own EOS; what follows is left out."""
    _, tokens = _write(name, answer, arguments, outputs, forbidden)
    rows = len(arguments["src"])
    if tokens.ndim != 2 or len(tokens) != rows:
        raise Finding(f"tokens has shape {tuple(tokens.shape)}, expected ({rows}, n), one row for each source")
    kept = torch.full((rows, max(arguments["max_len"], tokens.shape[1])), AFTER_THE_END)
    for row, line in enumerate(tokens.tolist()):
        end = line.index(arguments["eos_id"]) + 1 if arguments["eos_id"] in line else len(line)
        kept[row, :end] = torch.tensor(line[:end], dtype=torch.float32)
    return {"tokens (−1 after EOS)": kept}


def use_of_the_model(
    name: str,
    answer: object,
    arguments: Mapping[str, object],
    outputs: Sequence[str],
    forbidden: Sequence[str] = (),
) -> Outputs:
    """Whether gradients were recorded, and in which mode the model, which was training, is left."""
    model, _ = _write(name, answer, arguments, outputs, forbidden)
    return {
        "whether gradients are recorded while it writes": any(model.notes["gradients"]),
        "whether a model that was training is in training mode again": model.training,
    }


def passes_over_the_source(
    name: str,
    answer: object,
    arguments: Mapping[str, object],
    outputs: Sequence[str],
    forbidden: Sequence[str] = (),
) -> Outputs:
    """How often the source is encoded."""
    model, _ = _write(name, answer, arguments, outputs, forbidden)
    return {"how often model.encode is called": len(model.notes["sources"])}


def _write(
    name: str, answer: object, arguments: Mapping[str, object], outputs: Sequence[str], forbidden: Sequence[str]
) -> tuple[Writer, Tensor]:
    model = Writer(dropout=arguments["model"] == "with dropout")
    others = [copy(value) for key, value in arguments.items() if key != "model"]
    returned = named_outputs(name, call(name, answer, [model, *others], forbidden), outputs)
    return model, require_tensor("tokens", returned["tokens"])


def rates(
    name: str,
    answer: object,
    arguments: Mapping[str, object],
    outputs: Sequence[str],
    forbidden: Sequence[str] = (),
) -> Outputs:
    """The rate at each of the steps in `step`."""
    found: Outputs = {}
    for step in arguments["step"]:
        values = [step, arguments["d_model"], arguments["warmup"]]
        title = f"{name}({', '.join(map(str, values))})"
        rate = named_outputs(name, call(name, answer, values, forbidden), outputs)[outputs[0]]
        found[title] = torch.tensor(read_number(title, rate), dtype=torch.float32)
    return found


def training_step(
    name: str,
    answer: object,
    arguments: Mapping[str, object],
    outputs: Sequence[str],
    forbidden: Sequence[str] = (),
) -> Outputs:
    """What a model is given to read as the target, and the loss."""
    model = Writer()
    others = [copy(value) for key, value in arguments.items() if key != "model"]
    returned = named_outputs(name, call(name, answer, [model, *others], forbidden), outputs)
    read = model.notes["targets"]
    if len(read) != 1:
        raise Finding(f"{name} calls model(src, tgt_in) {len(read)} times, expected once")
    return {"what the model reads as tgt_in": read[0].float(), "loss": returned["loss"]}


def cached_steps(
    name: str,
    answer: object,
    arguments: Mapping[str, object],
    outputs: Sequence[str],
    forbidden: Sequence[str] = (),
) -> Outputs:
    """The output for one token after the other, each with what the call before it kept, and what is kept at last."""
    _, found, kept = _steps(name, answer, arguments, outputs, forbidden)
    return {"the output, step by step": torch.cat(found, 1), "the kept keys": kept[0], "the kept values": kept[1]}


def tokens_projected(
    name: str,
    answer: object,
    arguments: Mapping[str, object],
    outputs: Sequence[str],
    forbidden: Sequence[str] = (),
) -> Outputs:
    """How many tokens are turned into keys and values, step by step."""
    attention, _, _ = _steps(name, answer, arguments, outputs, forbidden)
    return {"the numbers of tokens made into keys, step by step": ", ".join(map(str, attention.notes))}


def _steps(
    name: str, answer: object, arguments: Mapping[str, object], outputs: Sequence[str], forbidden: Sequence[str]
) -> tuple[OneHead, list[Tensor], list[Tensor]]:
    attention, found, kept = OneHead(arguments["attention"]), [], None
    for token in arguments["x"].split(1, dim=1):
        returned = call(name, answer, [attention, token.clone(), kept], forbidden)
        output, kept = named_outputs(name, returned, outputs).values()
        if not isinstance(kept, tuple | list) or len(kept) != 2:
            raise Finding(f"kept should be two tensors, (keys, values), but it is of type {type(kept).__name__}")
        found.append(require_tensor("output", output))
        kept = tuple(require_tensor("kept", part) for part in kept)
        if found[-1].shape != token.shape:
            raise Finding(f"output has shape {tuple(found[-1].shape)}, expected {tuple(token.shape)}, that of x")
    return attention, found, list(kept)


def encoder_and_decoder(
    name: str,
    answer: object,
    arguments: Mapping[str, object],
    outputs: Sequence[str],
    forbidden: Sequence[str] = (),
) -> Outputs:
    """The memory, the mask of the source, and the logits of a decoder that is given a memory without a mask."""
    found = encode_and_decode(name, answer, arguments["src"], arguments["tgt_in"])
    return dict(zip(("encode(src)", "source_mask(src)", "decode(tgt_in, memory)"), found, strict=True))


@runs_in_student_process
def encode_and_decode(name: str, answer: nn.Module, src: Tensor, tgt_in: Tensor) -> list:
    """What encode, source_mask and decode return."""
    return call(name, _encode_and_decode, (answer, src, tgt_in))


def _encode_and_decode(model: nn.Module, src: Tensor, tgt_in: Tensor) -> list:
    memory = model.encode(src.clone())
    return [memory, model.source_mask(src.clone()), model.decode(tgt_in.clone(), memory)]
