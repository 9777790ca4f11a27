"""Greedy decoding: one token after the other, each row up to its own end."""

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
    """The first row ends neither first nor last."""
    src = pad_after(tokens(draw, 3, VOCAB, 3, 5), PAD, 5)
    return ["steady", src[[1, 2, 0]], SOS, EOS, 7]


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
    restore=True,
    gradients=False,
    encode="once",
    steps=0,
    keep=slice(1, None),
):
    was_training = model.training
    if evaluate:
        model.eval()
    with torch.set_grad_enabled(gradients):
        memory, memory_mask = model.encode(src), model.source_mask(src) if mask else None
        written = torch.full((len(src), 1), sos_id)
        ended = torch.zeros(len(src), dtype=torch.bool)
        for _ in range(max_len + steps):
            if encode == "each step":
                memory = model.encode(src)
            logits = model.decode(written if fed == "all" else written[:, -1:], memory, memory_mask)
            best = logits[:, place].argmax(-1)
            written = torch.cat([written, best[:, None]], 1)
            ended |= best == eos_id
            if {"all": ended.all(), "any": ended.any(), "first": ended[0], "never": False}[stop]:
                break
    if evaluate and restore:
        model.train(was_training)
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


LENGTHS = "Each row ends at its own EOS; go on until all have ended."

greedy_decode = CodeExam(
    exercise="greedy_decode",
    covers=("Bt9",),
    function=decoding.greedy_decode,
    outputs=("tokens",),
    criteria=(
        CodeCriterion("the tokens that the parallel logits name", 2, _alike, "decoded tokens", visible=True),
        CodeCriterion("each row up to its own EOS", 1.5, _uneven, "decoded tokens", visible=True),
        CodeCriterion("at most max_len tokens", 0.5, _cut_off, "decoded tokens", visible=True),
        CodeCriterion("dropout is off", 0.5, partial(_alike, model="with dropout"), "decoded tokens", True),
        CodeCriterion("no gradients, and the model's mode restored", 1, _alike, "gradients and training mode", True),
        CodeCriterion("the source is encoded once", 0.5, _alike, "encoder calls", True),
    ),
    misconceptions=(
        Misconception(
            "stop-any",
            "You stop when any row writes EOS, which cuts the others off. " + LENGTHS,
            _slip(stop="any"),
            hint="rows that have ended",
        ),
        Misconception(
            "stop-first",
            "You stop when the first row writes EOS. " + LENGTHS,
            _slip(stop="first"),
            hint="rows that have ended",
        ),
        Misconception(
            "result-begins-sos",
            "Your result begins with SOS: hand back only what was written.",
            _slip(keep=slice(0, -1)),
            hint="around the loop",
        ),
        Misconception(
            "without-its-end",
            "Your rows lack their EOS: it belongs to what was written.",
            _without_its_end,
            hint="around the loop",
        ),
        Misconception("steps-1", "You write one token more than max_len.", _slip(steps=1), hint="one turn of the loop"),
        Misconception(
            "place-0",
            "You read the logits of the first place: the next token stands at the last one.",
            _slip(place=0),
            hint="one turn of the loop",
        ),
        Misconception(
            "fed-last",
            "You feed only the newest token: the decoder needs all that is written so far.",
            _slip(fed="last"),
            hint="one turn of the loop",
        ),
        Misconception(
            "no-mask",
            "You do not hand the mask of the source on, so the decoder reads padding.",
            _slip(mask=False),
            hint="around the loop",
        ),
        Misconception(
            "no-evaluate",
            "Dropout stays on while you write: call model.eval() first.",
            _slip(evaluate=False),
            hint="rows that have ended",
        ),
        Misconception(
            "no-restore",
            "You leave the model in eval mode: put it back as it was.",
            _slip(restore=False),
            hint="rows that have ended",
        ),
        Misconception(
            "gradients",
            "You record gradients while you write: use torch.no_grad().",
            _slip(gradients=True),
            hint="rows that have ended",
        ),
        Misconception(
            "encode-each-step",
            "You encode the source again at every step: it does not change, so once is enough.",
            _slip(encode="each step"),
            hint="around the loop",
        ),
        Misconception(
            "in-one-go",
            "You write all tokens in one go: each must be read back before the next can be chosen.",
            _in_one_go,
            hint="one turn of the loop",
        ),
    ),
    accepted=(_slip(), _slip(stop="never"), _row_by_row, _padded_after_the_end),
)
