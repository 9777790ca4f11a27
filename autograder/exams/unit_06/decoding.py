"""Greedy decoding: one token after the other, each sequence up to its own end."""

from functools import partial

import torch

from autograder.exam_types import CodeCriterion, CodeExam
from autograder.exam_types.draw import Arguments, Draw
from autograder.exam_types.exam import Misconception
from autograder.exams.unit_06.targets import pad_after, tokens
from course_lib.checks.observers.fake_models import EOS, PAD, SOS, VOCAB
from course_lib.models import decoding


def _alike(draw: Draw, model: str = "steady") -> Arguments:
    """Sources without padding, so that all rows end together."""
    return [model, tokens(draw, 3, VOCAB, 2, 3), SOS, EOS, 6]


def _uneven(draw: Draw) -> Arguments:
    """The first row ends neither first nor last; start and end have other numbers than usual."""
    src = pad_after(tokens(draw, 3, VOCAB, 3, 5), PAD, 5)
    return ["steady", src[[1, 2, 0]], EOS, SOS, 7]


def _cut_off(draw: Draw) -> Arguments:
    """Fewer tokens are allowed than any row needs."""
    return ["steady", tokens(draw, 3, VOCAB, 3, 5), SOS, EOS, 3]


def _decode(
    model,
    src,
    sos_id,
    eos_id,
    max_len,
    *,
    stop="all",
    mask=True,
    place=-1,
    fed="all",
    evaluate=True,
    restore="as it was",
    gradients=False,
    encode="once",
    start=None,
    steps=0,
    keep=slice(1, None),
    choose="argmax",
):
    was_training = model.training
    if evaluate:
        model.eval()
    with torch.set_grad_enabled(gradients):
        memory, memory_mask = model.encode(src), model.source_mask(src) if mask else None
        if mask == "inverted":
            memory_mask = ~memory_mask
        if encode == "the first":
            memory = memory[:1].expand_as(memory)
        written = torch.full((len(src), 1), sos_id if start is None else eos_id if start == "eos" else start)
        ended = torch.zeros(len(src), dtype=torch.bool)
        for _ in range(max_len + steps):
            if encode == "each step":
                memory = model.encode(src)
            logits = model.decode(written if fed == "all" else written[:, -1:], memory, memory_mask)
            best = getattr(logits[:, place], choose)(-1)
            if stop == "before appending" and (ended | (best == eos_id)).all():
                break
            written = torch.cat([written, best[:, None]], 1)
            ended |= best == eos_id
            if {"all": ended.all(), "any": ended.any(), "first": ended[0], "never": False}.get(stop):
                break
    if evaluate and restore != "never":
        model.train(was_training or restore == "training")
    return written[:, keep]


def _slip(**options):
    """Not a partial: two slips at once would be too many to try."""
    return lambda model, src, sos_id, eos_id, max_len: _decode(model, src, sos_id, eos_id, max_len, **options)


def _without_its_end(model, src, sos_id, eos_id, max_len):
    written = decoding.greedy_decode(model, src, sos_id, eos_id, max_len)
    return written.masked_fill(written == eos_id, PAD)


def _in_one_go(model, src, sos_id, eos_id, max_len):
    was_training = model.training
    model.eval()
    with torch.no_grad():
        start = torch.full((len(src), max_len), sos_id)
        logits = model.decode(start, model.encode(src), model.source_mask(src))
    model.train(was_training)
    return logits.argmax(-1)


@torch.no_grad()
def _row_by_row(model, src, sos_id, eos_id, max_len):
    """One sequence at a time; the source of all is encoded at once."""
    mode = model.training
    model.eval()
    memory, mask = model.encode(src), model.source_mask(src)
    rows = []
    for b in range(len(src)):
        row = [sos_id]
        while len(row) <= max_len and row[-1] != eos_id:
            logits = model.decode(torch.tensor([row]), memory[b : b + 1], mask[b : b + 1])
            row.append(int(logits[0, -1].argmax()))
        rows.append(row[1:] + [PAD] * (max_len + 1 - len(row)))
    model.train(mode)
    return torch.tensor(rows)


def _padded_after_the_end(model, src, sos_id, eos_id, max_len):
    was = model.training
    model.eval()
    with torch.inference_mode():
        memory, mask = model.encode(src), model.source_mask(src)
        out = torch.full((src.shape[0], max_len + 1), sos_id, dtype=torch.long)
        done = torch.zeros(src.shape[0], dtype=torch.bool)
        for t in range(max_len):
            probabilities = model.decode(out[:, : t + 1], memory, mask)[:, t].softmax(-1)
            out[:, t + 1] = torch.where(done, 0, probabilities.max(-1).indices)
            done |= out[:, t + 1] == eos_id
    model.train(was)
    return out[:, 1:].clone()


LENGTHS = "Each sequence stops at its own EOS; continue until all have stopped."

greedy_decode = CodeExam(
    exercise="greedy_decode",
    covers=("Bt9",),
    function=decoding.greedy_decode,
    outputs=("tokens",),
    criteria=(
        CodeCriterion("the tokens that the parallel logits name", 2, _alike, "decoded tokens"),
        CodeCriterion("each row up to its own EOS", 1.5, _uneven, "decoded tokens"),
        CodeCriterion("at most max_len tokens", 0.5, _cut_off, "decoded tokens"),
        CodeCriterion("dropout is off", 0.5, partial(_alike, model="with dropout"), "decoded tokens", True),
        CodeCriterion("no gradients are recorded", 0.5, _alike, "gradients while decoding", True, side=True),
        CodeCriterion("the model's mode is as before", 0.5, _alike, "mode after decoding", True, side=True),
        CodeCriterion("the source is encoded once", 0.5, _alike, "encoder calls", True, side=True),
    ),
    misconceptions=(
        Misconception(
            "stop-any",
            "You stop when any sequence generates EOS, which cuts off the others. " + LENGTHS,
            _slip(stop="any"),
            hint="rows that have ended",
        ),
        Misconception(
            "stop-first",
            "You stop when the first sequence generates EOS. " + LENGTHS,
            _slip(stop="first"),
            hint="rows that have ended",
        ),
        Misconception(
            "sos-1",
            "You start with token 1 whatever sos_id is: start with sos_id.",
            _slip(start=1),
            hint="around the loop",
        ),
        Misconception(
            "result-begins-sos",
            "Your result begins with SOS: return only the generated tokens.",
            _slip(keep=slice(0, -1)),
            hint="around the loop",
        ),
        Misconception(
            "starts-with-eos", "You start with EOS: start with sos_id.", _slip(start="eos"), hint="around the loop"
        ),
        Misconception(
            "one-column-less",
            "You cut the last column off the result: all tokens that were generated belong to it.",
            _slip(keep=slice(1, -1)),
            hint="around the loop",
        ),
        Misconception(
            "leaves-too-early",
            "You leave the loop before you append the last tokens, so the EOS of the sequence that ends last is "
            "missing: append first.",
            _slip(stop="before appending"),
            hint="rows that have ended",
        ),
        Misconception(
            "least-likely",
            "You take the least likely token: argmax, not argmin.",
            _slip(choose="argmin"),
            hint="one turn of the loop",
        ),
        Misconception(
            "mask-inverted",
            "You invert the source mask: pass it to decode as source_mask gives it.",
            _slip(mask="inverted"),
            hint="around the loop",
        ),
        Misconception(
            "first-memory",
            "Every sequence is decoded from the memory of the first source: each has its own.",
            _slip(encode="the first"),
            hint="around the loop",
        ),
        Misconception(
            "without-its-end",
            "Your sequences lack their EOS: it is one of the generated tokens.",
            _without_its_end,
            hint="around the loop",
        ),
        Misconception(
            "steps-1", "You generate one token more than max_len.", _slip(steps=1), hint="one turn of the loop"
        ),
        Misconception(
            "steps-minus-1",
            "You generate one token less than max_len: SOS doesn't count.",
            _slip(steps=-1),
            hint="one turn of the loop",
        ),
        Misconception(
            "place-0",
            "You use the logits of the first position: those of the last one are about the next token.",
            _slip(place=0),
            hint="one turn of the loop",
        ),
        Misconception(
            "fed-last",
            "You pass only the newest token: the decoder needs all tokens so far.",
            _slip(fed="last"),
            hint="one turn of the loop",
        ),
        Misconception(
            "no-mask",
            "You don't pass the source mask to decode, so it attends to padding.",
            _slip(mask=False),
            hint="around the loop",
        ),
        Misconception(
            "no-evaluate",
            "Dropout stays on while you generate: call model.eval() first.",
            _slip(evaluate=False),
            hint="around the loop",
        ),
        Misconception(
            "no-restore",
            "You leave the model in eval mode: restore the mode it was in.",
            _slip(restore="never"),
            hint="around the loop",
        ),
        Misconception(
            "always-train",
            "You put the model in training mode at the end, whatever mode it was in. Restore the mode from before.",
            _slip(restore="training"),
            hint="around the loop",
        ),
        Misconception(
            "gradients",
            "You record gradients while you generate: use torch.no_grad().",
            _slip(gradients=True),
            hint="around the loop",
        ),
        Misconception(
            "encode-each-step",
            "You encode the source again at every step: it doesn't change, so once is enough.",
            _slip(encode="each step"),
            hint="around the loop",
        ),
        Misconception(
            "in-one-go",
            "You generate all tokens in one pass: each must be an input before the next can be chosen.",
            _in_one_go,
            hint="one turn of the loop",
        ),
    ),
    accepted=(_slip(), _slip(stop="never"), _row_by_row, _padded_after_the_end),
)
