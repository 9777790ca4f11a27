"""A masked softmax that survives a row in which everything is blocked."""

import torch
from torch import Tensor

from autograder.exam_types import CodeCriterion, CodeExam
from autograder.exam_types.draw import Draw
from autograder.exam_types.exam import Misconception
from course_lib.nn import masks


def _ordinary(draw: Draw) -> list[Tensor]:
    batch, n_q, n_k = (size for size in draw.sizes(8) if size in (3, 5, 6))
    return [draw.normal(batch, n_q, n_k), draw.mask(batch, n_q, n_k)]


def _blocked_row(draw: Draw) -> list[Tensor]:
    scores, mask = _ordinary(draw)
    mask[0, 1] = True
    return [scores, mask]


def _shared_mask(draw: Draw) -> list[Tensor]:
    """Scores of a thousand, in one row all of them negative, in another one near −20, and a mask that broadcasts."""
    scores, mask = _ordinary(draw)
    near = scores[0, 1] - 20
    scores = scores.sign() * 990 + scores
    scores[0, 0] = -scores[0, 0].abs()
    scores[0, 1] = near
    mask = mask[:1]
    scores[-1] = scores[-1].abs().where(mask[0], -scores[-1].abs())  # the highest scores are masked
    return [scores, mask]


def _flawed(scores, mask=None, *, fill=-1e9, finish="zero", inverted=False, dim=-1):
    if mask is None:
        return scores.softmax(dim)
    mask = ~mask if inverted else mask
    if finish == "after":
        return scores.softmax(dim).masked_fill(mask, 0.0)
    weights = scores.masked_fill(mask, fill).softmax(dim)
    return weights.masked_fill(mask, 0.0) if finish == "zero" else weights


def _added_and_mended(scores, mask=None):
    """−inf is added, so the nan of a blocked row finds its way back to the scores."""
    if mask is None:
        return scores.softmax(-1)
    low = torch.zeros(mask.shape).masked_fill(mask, -torch.inf)
    return (scores + low).softmax(-1).nan_to_num(0.0)


def _divided_and_mended(scores, mask=None):
    """0/0 is computed and thrown away, but not by the gradient."""
    if mask is None:
        return scores.softmax(-1)
    top = scores.masked_fill(mask & ~mask.all(-1, keepdim=True), -1e9).amax(-1, keepdim=True).detach()
    exp = (scores - top).clamp(max=0).exp() * ~mask
    total = exp.sum(-1, keepdim=True)
    return torch.where(total > 0, exp / total, 0.0)


def _adds_a_thousand(scores, mask=None):
    if mask is None:
        return scores.softmax(-1)
    return (scores - 1e3 * mask).softmax(-1).masked_fill(mask, 0.0)


def _not_stable(scores, mask=None):
    exp = scores.exp() if mask is None else scores.exp().masked_fill(mask, 0.0)
    return exp / (exp.sum(-1, keepdim=True) + 1e-9)


def _slip(slug: str, says: str, hint: str, **options: object) -> Misconception:
    """Not a partial: the slips are alternatives, and every two at once would be many."""
    return Misconception(slug, says, lambda scores, mask=None: _flawed(scores, mask, **options), hint)


def _by_exponentials(scores, mask=None):
    open_keys = torch.ones_like(scores) if mask is None else (~mask).to(scores.dtype).expand_as(scores)
    top = scores.masked_fill(open_keys == 0, -1e30).amax(-1, keepdim=True).clamp(min=-1e29).detach()
    exp = ((scores - top) * open_keys).exp() * open_keys
    return exp / exp.sum(-1, keepdim=True).clamp(min=1e-30)


def _by_opening_first(scores, mask=None):
    if mask is None:
        return torch.softmax(scores, dim=-1)
    dead = mask.all(-1, keepdim=True)
    weights = scores.masked_fill(mask & ~dead, float("-inf")).softmax(-1)
    return weights.masked_fill(dead.expand_as(weights), 0.0)


def _by_times(scores, mask=None):
    if mask is None:
        mask = torch.zeros_like(scores, dtype=torch.bool)
    return torch.where(mask, torch.tensor(-1e9), scores).softmax(-1) * (~mask)


def _mended(scores, mask=None):
    """Filling, unlike adding, lets no gradient through to what is blocked: nan can be mended here."""
    if mask is None:
        return scores.softmax(-1)
    return scores.masked_fill(mask, -torch.inf).softmax(-1).nan_to_num(0.0)


NAN_GRADIENT = (
    "Your values are right, but your gradient is nan: the fully masked row was computed as 0/0 and mended afterwards, "
    "and the gradient goes back through the 0/0. Fill scores with masked_fill, and never divide by 0."
)

NOT_LOW = (
    "You fill with a number that is not low enough, such as −30 or −100: beside scores of −1000 masked keys win. Use "
    "−1e9, or torch.finfo(scores.dtype).min."
)

safe_masked_softmax = CodeExam(
    exercise="safe_masked_softmax",
    covers=("A3", "A6"),
    function=masks.safe_masked_softmax,
    outputs=("weights",),
    criteria=(
        CodeCriterion("open keys share the weight", 1, _ordinary),
        CodeCriterion("a fully blocked row gives zeros", 1, _blocked_row),
        CodeCriterion("with a blocked row, gradients stay finite", 1, _blocked_row, "gradients"),
        CodeCriterion("scores of ±1000, and one mask for all", 0.5, _shared_mask),
        CodeCriterion("without a mask", 0.5, lambda draw: _ordinary(draw)[:1]),
    ),
    misconceptions=(
        _slip(
            "fill-minus-inf-finish-never",
            "Your fully masked row is 0/0 = nan: where every score is −inf, nothing is left to divide by.",
            "before, not after",
            fill=-torch.inf,
            finish="never",
        ),
        _slip(
            "finish-never",
            "Your fully masked row is uniform: with the same large negative number everywhere, the softmax sees equal "
            "scores. Set masked weights to 0 afterwards.",
            "twice",
            finish="never",
        ),
        Misconception("nan-gradient", NAN_GRADIENT, _added_and_mended, hint="twice"),
        Misconception("nan-gradient", NAN_GRADIENT, _divided_and_mended, hint="twice"),
        _slip(
            "finish-after",
            "You mask after the softmax: masked keys still count in the denominator, so rows don't sum to 1.",
            "before, not after",
            finish="after",
        ),
        _slip("inverted", "Your mask is inverted: here True means masked.", "before, not after", inverted=True),
        _slip(
            "fill-minus-30-0",
            NOT_LOW,
            "nearly there",
            fill=-30.0,
        ),
        Misconception(
            "adds-too-little",
            "Beside a masked score of 1000, your visible ones of −1000 come to weight 0. Before the softmax, masked "
            "scores must be far below all others: −1e9, or torch.finfo(scores.dtype).min.",
            _adds_a_thousand,
            "nearly there",
        ),
        Misconception(
            "not-stable",
            "You take exp of the scores themselves, which overflows at 1000 and is 0 at −1000. Subtract the largest "
            "score of each row first.",
            _not_stable,
            "nearly there",
        ),
        Misconception(
            "log-softmax",
            "You return the logarithms of the weights: softmax, not log_softmax.",
            lambda scores, mask=None: (
                scores.log_softmax(-1)
                if mask is None
                else scores.masked_fill(mask, -1e9).log_softmax(-1).masked_fill(mask, 0.0)
            ),
            "nearly there",
        ),
        _slip(
            "fill-0-0",
            "You fill with 0, which is an ordinary score. Use a large negative number.",
            "nearly there",
            fill=0.0,
        ),
        Misconception(
            "softmax-runs-over-queries",
            "Your softmax runs over the queries, expected over the keys, the last dimension: dim=-1.",
            lambda scores, mask=None: _flawed(scores, mask, dim=-2),
            hint="nearly there",
        ),
    ),
    accepted=(_flawed, _by_exponentials, _by_opening_first, _by_times, _mended),
)
