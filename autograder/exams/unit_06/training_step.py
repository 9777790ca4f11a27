"""One step of training: what the model gets as input, and what it is scored on."""

import torch
import torch.nn.functional as F
from torch import Tensor

from autograder.exam_types import CodeCriterion, CodeExam
from autograder.exam_types.draw import Arguments, Draw
from autograder.exam_types.exam import Misconception
from autograder.exams.unit_06.targets import pad_after, tokens
from course_lib.training import objectives

VOCAB = 11  # of the model that is observed, course_lib.checks.observers.fake_models


def _step(draw: Draw) -> Arguments:
    """Targets with padding, whose id is never 0, so that who ignores 0 fails for every seed."""
    sos_id, pad_id = ((1, 3), (0, 2), (2, 1))[draw.sizes(1)[0] % 3]
    src = pad_after(tokens(draw, 3, VOCAB, 3, 6), 0, 6)
    return ["a model", src, pad_after(tokens(draw, 3, VOCAB, 3, 7), pad_id, 7), sos_id, pad_id]


def _even_step(draw: Draw) -> Arguments:
    """No padding at all, but a token 0, which is an ordinary one."""
    tgt = tokens(draw, 4, VOCAB, 3, 7)
    tgt[:, 3] = 0
    return ["a model", tokens(draw, 4, VOCAB, 3, 6), tgt, 2, 3]


def _training_loss(
    model, src, tgt, sos_id, pad_id, *, read=objectives.shift_right, skipped=False, ignored=None, ahead=False
):
    logits = model(src, read(tgt, sos_id))
    if skipped:
        logits, tgt = logits[:, :-1], tgt[:, 1:]
    if ahead:
        tgt = objectives.shift_right(tgt, sos_id)
    return F.cross_entropy(logits.flatten(0, 1), tgt.flatten(), ignore_index=pad_id if ignored is None else ignored)


def _slip(**options):
    """Not a partial: one number would fit some two slips by chance."""
    return lambda model, src, tgt, sos_id, pad_id: _training_loss(model, src, tgt, sos_id, pad_id, **options)


def _as_if_with_sos(model, src, tgt, sos_id, pad_id):
    logits = model(src, tgt[:, :-1])
    return F.cross_entropy(logits.mT, tgt[:, 1:], ignore_index=pad_id)


def _smoothed(model, src, tgt, sos_id, pad_id):
    return objectives.teacher_forcing_loss(model(src, objectives.shift_right(tgt, sos_id)), tgt, pad_id, 0.1)


def _summed(model, src, tgt, sos_id, pad_id):
    logits = model(src, objectives.shift_right(tgt, sos_id))
    return F.cross_entropy(logits.flatten(0, 1), tgt.flatten(), ignore_index=pad_id, reduction="sum")


def _no_gradients(model, src, tgt, sos_id, pad_id):
    with torch.no_grad():
        return _training_loss(model, src, tgt, sos_id, pad_id)


def _evaluates(model, src, tgt, sos_id, pad_id):
    return _training_loss(model.eval(), src, tgt, sos_id, pad_id)


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


def _with_own_functions(model, src, tgt, sos_id, pad_id):
    tgt_in = objectives.shift_right(tgt, sos_id)
    return objectives.teacher_forcing_loss(model(src, tgt_in), tgt, pad_id)


def _unshifted(tokens: Tensor, sos_id: int) -> Tensor:
    return tokens


def _start_with_1(tokens: Tensor, sos_id: int) -> Tensor:
    return objectives.shift_right(tokens, 1)


def _only_sos(tokens: Tensor, sos_id: int) -> Tensor:
    return torch.full_like(tokens, sos_id)


training_loss = CodeExam(
    exercise="training_loss",
    covers=("A8", "Bt8"),
    function=objectives.training_loss,
    outputs=("loss",),
    criteria=(
        CodeCriterion("the model reads the shifted target", 1, _even_step, "tokens read"),
        CodeCriterion("it is scored on the target", 1, _even_step, "training step"),
        CodeCriterion("padding does not count", 1, _step, "effect of padding"),
    ),
    misconceptions=(
        Misconception(
            "read-unshifted",
            "Your model still gets the very tokens that it has to predict: shift its input.",
            _slip(read=_unshifted),
            hint="what does the model read?",
        ),
        Misconception(
            "as-if-with-sos",
            "You pass tgt[:, :-1] and score tgt[:, 1:], as where targets begin with SOS. Here they don't, so the first "
            "token would never be learned: pass shift_right(tgt, sos_id) and score all of tgt.",
            _as_if_with_sos,
            hint="what does the model read?",
        ),
        Misconception(
            "counted",
            "Padding still counts in your loss: ignore positions where the target is pad_id.",
            _slip(ignored=-100),
            hint="the other bug",
        ),
        Misconception(
            "ignores-0",
            "Your loss ignores token 0 whatever pad_id is: ignore pad_id.",
            _slip(ignored=0),
            hint="the other bug",
        ),
        Misconception(
            "start-with-1",
            "You put 1 in front whatever sos_id is: use sos_id.",
            _slip(read=_start_with_1),
            hint="what does the model read?",
        ),
        Misconception(
            "start-with-pad",
            "You put padding in front of the input: put sos_id there.",
            lambda model, src, tgt, sos_id, pad_id: _training_loss(model, src, tgt, pad_id, sos_id, ignored=pad_id),
            hint="what does the model read?",
        ),
        Misconception(
            "exchanged",
            "You exchange sos_id and pad_id: SOS comes in front of the input, and padding is what the loss ignores.",
            lambda model, src, tgt, sos_id, pad_id: _training_loss(model, src, tgt, pad_id, sos_id),
            hint="the other bug",
        ),
        Misconception(
            "smoothed",
            "Your loss has label smoothing: none is asked for here.",
            _smoothed,
            hint="nearly there",
        ),
        Misconception(
            "summed",
            "You add up the losses of all tokens: take their mean.",
            _summed,
            hint="nearly there",
        ),
        Misconception(
            "no-gradients",
            "Your model computes without recording gradients, so nothing can be learned: leave out `no_grad`.",
            _no_gradients,
            hint="nearly there",
        ),
        Misconception(
            "evaluates",
            "You put the model in eval mode, so its dropout is off while it trains: leave the mode to your caller.",
            _evaluates,
            hint="nearly there",
        ),
        Misconception(
            "skipped",
            "You shift twice: the input is shifted, and you score one position further on. Score the logits on tgt.",
            _slip(skipped=True),
            hint="nearly there",
        ),
        Misconception(
            "ahead",
            "You score the model on the shifted target, which is its input: score it on tgt.",
            _slip(ahead=True),
            hint="nearly there",
        ),
        Misconception(
            "read-only-sos",
            "Your model gets nothing but SOS: pass every token before the one it has to predict.",
            _slip(read=_only_sos),
            hint="what does the model read?",
        ),
    ),
    accepted=(_sliced, _masked, _long, _training_loss, _with_own_functions),
)
