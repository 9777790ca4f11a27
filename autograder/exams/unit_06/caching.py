"""A key/value cache: what earlier tokens gave is kept, not computed again."""

import torch
from torch import Tensor

from autograder.exam_types import CodeCriterion, CodeExam
from autograder.exam_types.draw import Draw
from autograder.exam_types.exam import Misconception
from course_lib.models import cached_decoding


def _tokens(draw: Draw) -> list[Tensor]:
    n, d = 5, 4
    return [draw.normal(4 * d, d) / 2, draw.normal(2, n, d)]


def _joined(kept, new, dim=2, order=(0, 1)):
    if kept is None:
        return new
    return tuple(torch.cat([(old, fresh)[i] for i in order], dim) for old, fresh in zip(kept, new, strict=True))


def _forgetful(attention, x, kept=None):
    keys, values = attention.keys_and_values(x, x)
    return attention.attend(x, keys, values)[0], (keys, values)


def _keeps_nothing_new(attention, x, kept=None):
    new = _joined(kept, attention.keys_and_values(x, x))
    return attention.attend(x, *new)[0], new if kept is None else kept


def _newest_first(attention, x, kept=None):
    new = _joined(kept, attention.keys_and_values(x, x), order=(1, 0))
    return attention.attend(x, *new)[0], new


def _without_itself(attention, x, kept=None):
    fresh = attention.keys_and_values(x, x)
    return attention.attend(x, *(kept or fresh))[0], _joined(kept, fresh)


def _swapped(attention, x, kept=None):
    keys, values = attention.keys_and_values(x, x)
    new = _joined(kept, (values, keys))
    return attention.attend(x, new[1], new[0])[0], new


def _values_for_keys(attention, x, kept=None):
    new = _joined(kept, attention.keys_and_values(x, x))
    return attention.attend(x, new[1], new[0])[0], new


def _no_values_kept(attention, x, kept=None):
    keys, values = attention.keys_and_values(x, x)
    if kept is not None:
        keys = torch.cat([kept[0], keys], 2)
        values = torch.cat([torch.zeros_like(kept[1]), values], 2)
    return attention.attend(x, keys, values)[0], (keys, values)


def _projected_again(attention, x, kept=None):
    fresh = attention.keys_and_values(x, x)
    attention.keys_and_values(x, x)
    new = _joined(kept, fresh)
    return attention.attend(x, *new)[0], new


def _comprehension(attention, x, kept=None):
    new = attention.keys_and_values(x, x)
    kept = new if kept is None else [torch.cat(pair, dim=-2) for pair in zip(kept, new, strict=True)]
    output, _ = attention.attend(x, *kept)
    return output, kept


def _empty_start(attention, x, kept=None):
    keys, values = attention.keys_and_values(x, x)
    if kept is None:
        kept = keys[:, :, :0], values[:, :, :0]
    kept = torch.cat((kept[0], keys), dim=2), torch.cat((kept[1], values), dim=2)
    return attention.attend(x, kept[0], kept[1], None)[0], kept


def _stacked(attention, x, kept=None):
    both = torch.stack(attention.keys_and_values(x, x))
    if kept is not None:
        both = torch.cat([torch.stack(list(kept)), both], 3)
    return [attention.attend(x, both[0], both[1])[0], (both[0], both[1])]


def _early(attention, x, kept=None):
    if kept is None:
        kept = attention.keys_and_values(x, x)
    else:
        k, v = attention.keys_and_values(x, x)
        kept = (torch.cat([kept[0], k], 2), torch.cat([kept[1], v], 2))
    return attention.attend(x, *kept)[0], kept


def _by_its_layers(attention, x, kept=None):
    """The steps of unit 04 written out, with the layers of the attention and its number of heads."""
    batch, _, d_model = x.shape

    def heads(y):
        return y.view(batch, 1, attention.num_heads, -1).transpose(1, 2)

    q, k, v = heads(attention.wq(x)), heads(attention.wk(x)), heads(attention.wv(x))
    if kept:
        k, v = torch.cat([kept[0], k], 2), torch.cat([kept[1], v], 2)
    weights = (q @ k.mT / q.shape[-1] ** 0.5).softmax(-1)
    return attention.dense((weights @ v).transpose(1, 2).reshape(batch, 1, d_model)), (k, v)


def _kept_in_attention(attention, x, kept=None):
    new = _joined(getattr(attention, "kept", None), attention.keys_and_values(x, x))
    attention.kept = new
    return attention.attend(x, *new)[0], new


def _keys_for_values(attention, x, kept=None):
    new = _joined(kept, attention.keys_and_values(x, x))
    return attention.attend(x, new[0], new[0])[0], new


cached_attention = CodeExam(
    exercise="cached_attention",
    covers=("Bt9",),
    function=cached_decoding.cached_attention,
    outputs=("output", "kept"),
    criteria=(
        CodeCriterion("the numbers of attention over all tokens so far", 2, _tokens, "cached steps"),
        CodeCriterion("each token is projected once", 1, _tokens, "tokens projected"),
    ),
    misconceptions=(
        Misconception(
            "forgetful",
            "You drop what was kept: append the new keys and values to the old ones.",
            _forgetful,
            hint="what is old",
        ),
        Misconception(
            "keeps-nothing-new",
            "You use the new keys and values but do not keep them: return the longer ones.",
            _keeps_nothing_new,
            hint="nearly there",
        ),
        Misconception(
            "newest-first", "You put the newest token in front: append it, dim=2.", _newest_first, hint="what is old"
        ),
        Misconception(
            "without-itself",
            "Your token doesn't attend to itself: include its own key and value.",
            _without_itself,
            hint="what is old",
        ),
        Misconception("swapped", "You return (values, keys), expected (keys, values).", _swapped, hint="nearly there"),
        Misconception(
            "values-for-keys",
            "You pass the values as keys: attend takes keys, then values.",
            _values_for_keys,
            hint="nearly there",
        ),
        Misconception(
            "no-values-kept",
            "You keep the old keys but drop the old values: keep both.",
            _no_values_kept,
            hint="what is old",
        ),
        Misconception(
            "kept-in-attention",
            "You keep keys and values in the attention itself, so the next sequence starts with those of the last "
            "one: take them from `kept`, and return them.",
            _kept_in_attention,
            hint="what is old",
        ),
        Misconception(
            "keys-for-values",
            "You pass the keys as values too: attend takes keys, then values.",
            _keys_for_values,
            hint="nearly there",
        ),
        Misconception(
            "projected-again",
            "You project a token more than once: call keys_and_values once and use both of what it returns.",
            _projected_again,
            hint="what is new",
        ),
    ),
    accepted=(_comprehension, _empty_start, _stacked, _early, _by_its_layers),
)
