"""The loss of teacher forcing: what counts in it, and what does not."""

from functools import partial

import torch
import torch.nn.functional as F

from autograder.exam_types import CodeCriterion, CodeExam
from autograder.exam_types.draw import Arguments, Draw
from autograder.exam_types.exam import Misconception
from autograder.exams.unit_06.targets import pad_after, tokens
from course_lib.training import objectives


def _arguments(draw: Draw, smoothing: float = 0.0, padded: bool = False, vocab: int = 7) -> Arguments:
    """Padding is not 0, so that a loss that ignores 0 whatever pad_id is shows."""
    batch, n, pad = 3, 8, (2, vocab - 1)[draw.sizes(1)[0] % 2]
    targets = tokens(draw, 3, vocab - 1, batch, n)
    targets[0, :2] = torch.tensor([0, 1])
    if padded:
        targets = pad_after(targets, pad, n - 1)
    # Right tokens are unlikely, more so in short rows, and padding is likely: so it shows how each of them counts.
    offset = torch.where(targets == pad, 4.0, -2.0 * (1 + torch.arange(batch)[:, None]))
    logits = draw.normal(batch, n, vocab).scatter_add(-1, targets[..., None], offset[..., None])
    return [logits, targets, pad, *([smoothing] if smoothing else [])]


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


def _slip(**options):
    """Not a partial: one number would fit some two slips by chance."""
    return lambda logits, targets, pad_id, label_smoothing=0.0: _loss(
        logits, targets, pad_id, label_smoothing, **options
    )


def _shifts_inside(logits, targets, pad_id, label_smoothing=0.0):
    return objectives.teacher_forcing_loss(logits[:, :-1], targets[:, 1:], pad_id, label_smoothing)


def _logits_for_probabilities(logits, targets, pad_id, label_smoothing=0.0):
    return F.nll_loss(logits.mT, targets, ignore_index=pad_id)


def _smooth_without_padding(logits, targets, pad_id, label_smoothing=0.0):
    """LabelSmoothing of the Annotated Transformer: ε/(V − 2), nothing for padding, and a KL divergence."""
    if not label_smoothing:
        return objectives.teacher_forcing_loss(logits, targets, pad_id)
    vocab, real = logits.shape[-1], targets != pad_id
    q = torch.full_like(logits, label_smoothing / (vocab - 2)).scatter(-1, targets[..., None], 1 - label_smoothing)
    q[..., pad_id] = 0
    return F.kl_div(logits.log_softmax(-1)[real], q[real], reduction="sum") / real.sum()


def _cross_entropy_without_padding(logits, targets, pad_id, label_smoothing=0.0):
    """The same distribution as that of the Annotated Transformer, in a cross-entropy."""
    vocab, real = logits.shape[-1], targets != pad_id
    q = torch.full_like(logits, label_smoothing / (vocab - 2)).scatter(-1, targets[..., None], 1 - label_smoothing)
    q[..., pad_id] = 0
    return -(q * logits.log_softmax(-1))[real].sum() / real.sum()


def _entries_mixed(logits, targets, pad_id, label_smoothing=0.0):
    mixed = logits.reshape(len(logits), logits.shape[-1], -1)
    return F.cross_entropy(mixed, targets, ignore_index=pad_id, label_smoothing=label_smoothing)


def _always_smoothed(logits, targets, pad_id, label_smoothing=0.0):
    return objectives.teacher_forcing_loss(logits, targets, pad_id, 0.1)


def _softmax_over_tokens(logits, targets, pad_id, label_smoothing=0.0):
    log_p = logits.log_softmax(1)
    hit = -log_p.gather(-1, targets[..., None])[..., 0]
    lost = (1 - label_smoothing) * hit - label_smoothing * log_p.mean(-1)
    return lost[targets != pad_id].mean()


def _without_the_pad_class(logits, targets, pad_id, label_smoothing=0.0):
    cut = logits.clone()
    cut[..., pad_id] = -1e9
    return objectives.teacher_forcing_loss(cut, targets, pad_id, label_smoothing)


def _smooth_by_sum(logits, targets, pad_id, label_smoothing=0.0):
    log_p = logits.log_softmax(-1)
    hit = -log_p.gather(-1, targets[..., None])[..., 0]
    lost = (1 - label_smoothing) * hit - label_smoothing * log_p.sum(-1)
    return lost[targets != pad_id].mean()


def _for_each_sequence(logits, targets, pad_id, label_smoothing=0.0):
    return _loss(logits, targets, pad_id, label_smoothing, mean="sum") / len(logits)


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
        CodeCriterion("the mean over all tokens", 1, _arguments),
        CodeCriterion("padding does not count", 1, partial(_arguments, padded=True)),
        CodeCriterion("label smoothing", 0.5, partial(_arguments, smoothing=0.2, padded=True)),
        CodeCriterion("gradients reach the logits", 0.5, _arguments, "gradients", True, side=True),
    ),
    misconceptions=(
        Misconception(
            "padding-counted",
            "You count padding: leave out every position where the target is pad_id.",
            _slip(padding="counted"),
            hint="leaving things out",
        ),
        Misconception(
            "mean-all-places",
            "You leave padding out of the sum but divide by all positions: divide by the number of real tokens.",
            _slip(mean="all places"),
            hint="nearly there",
        ),
        Misconception("mean-sum", "You add up the losses: take their mean.", _slip(mean="sum"), hint="nearly there"),
        Misconception(
            "mean-rows",
            "You average within each sequence first, so tokens of short ones count more: average over all real tokens.",
            _slip(mean="rows"),
            hint="nearly there",
        ),
        Misconception(
            "pad-0", "You ignore token 0 whatever pad_id is: ignore pad_id.", _slip(pad=0), hint="leaving things out"
        ),
        Misconception("smooth-none", "You ignore label_smoothing.", _slip(smooth="none"), hint="nearly there"),
        Misconception(
            "smooth-others",
            "You spread ε over the other tokens only: here each token gets ε/V, the correct one included.",
            _slip(smooth="others"),
            hint="nearly there",
        ),
        Misconception(
            "smooth-without-padding",
            "This is the label smoothing of the Annotated Transformer: ε/(V − 2) for each other token, none for "
            "padding, and a KL divergence. Here each of the V tokens gets ε/V, and the loss is the cross-entropy.",
            _smooth_without_padding,
            hint="nearly there",
        ),
        Misconception(
            "smooth-without-padding-ce",
            "This is the distribution of the Annotated Transformer's label smoothing, ε/(V − 2) for each other "
            "token and none for padding. Here each of the V tokens gets ε/V, the correct one included.",
            _cross_entropy_without_padding,
            hint="nearly there",
        ),
        Misconception(
            "entries-mixed",
            "You reshape the logits to (B, V, n), which mixes positions with tokens: transpose them, or flatten (B, "
            "n) into rows.",
            _entries_mixed,
            hint="leaving things out",
        ),
        Misconception(
            "always-smoothed",
            "Your loss always smooths with 0.1: use label_smoothing.",
            _always_smoothed,
            hint="nearly there",
        ),
        Misconception(
            "softmax-over-tokens",
            "Your softmax runs over the positions: it runs over the vocabulary, dim=-1.",
            _softmax_over_tokens,
            hint="from logits to a loss",
        ),
        Misconception(
            "without-the-pad-class",
            "You take padding out of the vocabulary by its logit: leave out the positions whose target is pad_id, "
            "and keep all logits.",
            _without_the_pad_class,
            hint="leaving things out",
        ),
        Misconception(
            "smooth-by-sum",
            "You add ε times the sum of −log p over the vocabulary: its mean belongs there, since each token gets ε/V.",
            _smooth_by_sum,
            hint="nearly there",
        ),
        Misconception(
            "for-each-sequence",
            "You divide by the number of sequences: divide by the number of real tokens.",
            _for_each_sequence,
            hint="nearly there",
        ),
        Misconception(
            "shifts-inside",
            "You shift inside the loss, as Hugging Face models do: logits[:, :-1] against targets[:, 1:]. Here the "
            "input is shifted already, so logits[:, i] belong to targets[:, i].",
            _shifts_inside,
            hint="from logits to a loss",
        ),
        Misconception(
            "nll-of-logits",
            "You use logits where log-probabilities belong: F.cross_entropy takes logits, F.nll_loss does not.",
            _logits_for_probabilities,
            hint="from logits to a loss",
        ),
        Misconception(
            "softmax-first",
            "You apply a softmax before the cross-entropy, which applies one itself: pass the logits.",
            _softmax_first,
            hint="from logits to a loss",
        ),
        Misconception(
            "squared",
            "You compute squared distances: the loss is the negative log-probability of the correct token.",
            _squared,
            hint="from logits to a loss",
        ),
    ),
    accepted=(_built_in, _indexed, _by_loop, _one_hot, _loss),
)
