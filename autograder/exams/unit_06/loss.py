"""The loss of a model that writes: what counts in it, and what does not."""

from functools import partial

import torch
import torch.nn.functional as F
from torch import Tensor

from autograder.exam_types import CodeCriterion, CodeExam
from autograder.exam_types.draw import Arguments, Draw
from autograder.exam_types.exam import Misconception
from autograder.exams.unit_06.targets import pad_after, tokens
from course_lib.training import objectives

PAD = 2  # not 0, so that a loss that ignores 0 whatever pad_id says is found


def _arguments(draw: Draw, smoothing: float = 0.0, padded: bool = False, vocab: int = 7) -> Arguments:
    batch, n = 3, 8
    targets = tokens(draw, 3, vocab, batch, n)
    targets[0, :2] = torch.tensor([0, 1])  # real tokens, although smaller than pad_id
    if padded:
        targets = pad_after(targets, PAD, n - 1)
    # Right tokens are unlikely, more so in short rows, and padding is likely: so it shows how each of them counts.
    offset = torch.where(targets == PAD, 4.0, -2.0 * (1 + torch.arange(batch)[:, None]))
    logits = draw.normal(batch, n, vocab).scatter_add(-1, targets[..., None], offset[..., None])
    return [logits, targets, PAD, *([smoothing] if smoothing else [])]


def _loss(logits, targets, pad_id, label_smoothing=0.0, *, padding="left out", smooth="all", mean="tokens", pad=None):
    vocab = logits.shape[-1]
    log_p = logits.log_softmax(-1)
    hit = -log_p.gather(-1, targets[..., None])[..., 0]
    if smooth == "all":
        lost = (1 - label_smoothing) * hit - label_smoothing * log_p.mean(-1)
    elif smooth == "others":
        lost = (1 - label_smoothing) * hit + label_smoothing * (-log_p.sum(-1) - hit) / (vocab - 1)
    else:
        lost = hit
    real = (targets != (pad_id if pad is None else pad)).to(logits.dtype)
    if padding == "counted":
        real = torch.ones_like(real)
    if mean == "sum":
        return (lost * real).sum()
    if mean == "all places":
        return (lost * real).mean()
    if mean == "rows":
        return ((lost * real).sum(1) / real.sum(1)).mean()
    return (lost * real).sum() / real.sum()


def _softmax_first(logits, targets, pad_id, label_smoothing=0.0):
    return objectives.teacher_forcing_loss(logits.softmax(-1), targets, pad_id, label_smoothing)


def _squared(logits, targets, pad_id, label_smoothing=0.0):
    real = targets != pad_id
    return (logits.softmax(-1) - F.one_hot(targets, logits.shape[-1])).square().sum(-1)[real].mean()


def _built_in(logits, targets, pad_id, label_smoothing=0.0):
    return F.cross_entropy(logits.mT, targets, ignore_index=pad_id, label_smoothing=label_smoothing)


def _indexed(logits, targets, pad_id, label_smoothing=0.0):
    real = targets != pad_id
    return F.cross_entropy(logits[real], targets[real], label_smoothing=label_smoothing)


def _by_loop(logits, targets, pad_id, label_smoothing=0.0):
    lost = []
    for row, wanted in zip(logits, targets.tolist(), strict=True):
        for scores, target in zip(row, wanted, strict=True):
            if target != pad_id:
                share = torch.full_like(scores, label_smoothing / len(scores))
                share[target] += 1 - label_smoothing
                lost.append(-(share * scores.log_softmax(-1)).sum())
    return torch.stack(lost).mean()


def _one_hot(logits, targets, pad_id, label_smoothing=0.0):
    vocab = logits.size(-1)
    wanted = F.one_hot(targets, vocab) * (1 - label_smoothing) + label_smoothing / vocab
    lost = torch.logsumexp(logits, -1) - (wanted * logits).sum(-1)
    return lost[targets != pad_id].sum() / (targets != pad_id).sum()


teacher_forcing_loss = CodeExam(
    exercise="teacher_forcing_loss",
    covers=("Bt8", "A9"),
    function=objectives.teacher_forcing_loss,
    outputs=("loss",),
    criteria=(
        CodeCriterion("the mean over all tokens", 1, _arguments, visible=True),
        CodeCriterion("padding does not count", 1, partial(_arguments, padded=True), visible=True),
        CodeCriterion("label smoothing", 0.5, partial(_arguments, smoothing=0.2, padded=True), visible=True),
        CodeCriterion("gradients reach the logits", 0.5, _arguments, "gradients"),
    ),
    misconceptions=(
        Misconception(
            "padding-counted",
            "You count padding: a model would be praised for it.",
            partial(_loss, padding="counted"),
            hint="leaving things out",
        ),
        Misconception(
            "mean-all-places",
            "You leave padding out of the sum but divide by all places: divide by the number of real tokens.",
            partial(_loss, mean="all places"),
            hint="nearly there",
        ),
        Misconception(
            "mean-sum", "You add the losses up: take their mean.", partial(_loss, mean="sum"), hint="nearly there"
        ),
        Misconception(
            "mean-rows",
            "You average within each sequence first, so tokens of short ones count more: average over all real tokens.",
            partial(_loss, mean="rows"),
            hint="nearly there",
        ),
        Misconception(
            "pad-0", "You ignore token 0 whatever pad_id is.", partial(_loss, pad=0), hint="leaving things out"
        ),
        Misconception("smooth-none", "You ignore label_smoothing.", partial(_loss, smooth="none"), hint="nearly there"),
        Misconception(
            "smooth-others",
            "You spread ε over the other tokens only; here it goes to all, ε/V each, the right one included.",
            partial(_loss, smooth="others"),
            hint="nearly there",
        ),
        Misconception(
            "softmax-first",
            "You take a softmax before the cross-entropy, which takes one itself: give it the logits.",
            _softmax_first,
            hint="from logits to a loss",
        ),
        Misconception(
            "squared",
            "You measure squared distances: the loss is −log of the right token's share.",
            _squared,
            hint="from logits to a loss",
        ),
    ),
    accepted=(_built_in, _indexed, _by_loop, _one_hot, _loss),
)


def _step(draw: Draw) -> Arguments:
    """Sequences with padding, and ids as in course_lib.tasks."""
    src = pad_after(tokens(draw, 3, 11, 3, 6), 0, 6)
    tgt = pad_after(tokens(draw, 3, 11, 3, 7), 0, 7)
    return ["a model", src, tgt, 1, 0]


def _even_step(draw: Draw) -> Arguments:
    """No padding at all."""
    return ["a model", tokens(draw, 3, 11, 3, 6), tokens(draw, 3, 11, 3, 7), 1, 0]


def _training_loss(
    model, src, tgt, sos_id, pad_id, *, read=objectives.shift_right, skipped=False, counted=False, ahead=False
):
    logits = model(src, read(tgt, sos_id))
    if skipped:
        logits, tgt = logits[:, :-1], tgt[:, 1:]
    if ahead:
        tgt = objectives.shift_right(tgt, sos_id)
    return F.cross_entropy(logits.flatten(0, 1), tgt.flatten(), ignore_index=-100 if counted else pad_id)


def _sliced(model, src, tgt, sos_id, pad_id):
    sos = torch.full((len(tgt), 1), sos_id)
    logits = model(src, torch.cat([sos, tgt[:, :-1]], dim=1))
    return F.cross_entropy(logits.transpose(1, 2), tgt, ignore_index=pad_id)


def _masked(model, src, tgt, sos_id, pad_id):
    tgt_in = tgt.roll(1, dims=1)
    tgt_in[:, 0] = sos_id
    log_p = model(src, tgt_in).log_softmax(-1).gather(2, tgt.unsqueeze(2)).squeeze(2)
    return -log_p[tgt != pad_id].mean()


def _long(model, src, tgt, sos_id, pad_id):
    """As often written: SOS and the whole target, of which all but the last is read and all but the first scored."""
    whole = torch.cat([tgt.new_full((len(tgt), 1), sos_id), tgt], 1)
    logits = model(src, whole[:, :-1])
    return F.cross_entropy(logits.reshape(-1, logits.shape[-1]), whole[:, 1:].reshape(-1), ignore_index=pad_id)


def _unshifted(tokens: Tensor, sos_id: int) -> Tensor:
    return tokens


def _only_sos(tokens: Tensor, sos_id: int) -> Tensor:
    return torch.full_like(tokens, sos_id)


training_loss = CodeExam(
    exercise="training_loss",
    covers=("A8", "Bt8"),
    function=objectives.training_loss,
    outputs=("loss",),
    criteria=(
        CodeCriterion("reads the shifted target, is scored on the target", 2, _even_step, "training step", True),
        CodeCriterion("padding does not count", 1, _step, "training step", True),
    ),
    misconceptions=(
        Misconception(
            "read-unshifted",
            "Your model still reads the very tokens that it has to write: shift what it reads.",
            partial(_training_loss, read=_unshifted),
            hint="what does the model read?",
        ),
        Misconception(
            "counted",
            "Padding still counts in your loss: where the target is pad_id, nothing is to be learned.",
            partial(_training_loss, counted=True),
            hint="the other bug",
        ),
        Misconception(
            "skipped",
            "You shift twice: the model reads the token before, and is scored one place further on. Score it on tgt.",
            partial(_training_loss, skipped=True),
            hint="nearly there",
        ),
        Misconception(
            "ahead",
            "You score the model on the shifted target, which is what it reads: score it on tgt.",
            partial(_training_loss, ahead=True),
            hint="nearly there",
        ),
        Misconception(
            "read-only-sos",
            "Your model reads nothing but SOS: it may read every token before the one it writes.",
            partial(_training_loss, read=_only_sos),
            hint="what does the model read?",
        ),
    ),
    accepted=(_sliced, _masked, _long, _training_loss),
)
