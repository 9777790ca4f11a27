"""The mask of padding."""

from functools import partial

import torch

from autograder.exam_types import CodeCriterion, CodeExam
from autograder.exam_types.draw import Arguments, Draw
from autograder.exam_types.exam import Misconception
from autograder.exams.unit_05.look_ahead import OTHER_DTYPES
from course_lib.nn import masks


def _tokens(draw: Draw, pad_id: int) -> Arguments:
    """Sentences of different lengths; where padding is not 0, a real token is."""
    n, batch = sorted(draw.sizes(2), reverse=True)
    tokens = torch.arange(batch * n).reshape(batch, n) % 5 + 1
    tokens[:, 1] = 0 if pad_id else 5
    for row in range(batch):
        tokens[row, n - 1 - row % (n - 2) :] = pad_id
    tokens[-1] = tokens[-1].roll(2)  # padding may also come first, or in between
    return [tokens, pad_id]


def _pad_id(draw: Draw) -> int:
    """Any number but 0."""
    return draw.sizes(1)[0] + 4


CELLS = {
    "right": lambda tokens, pad_id: tokens == pad_id,
    "inverted": lambda tokens, pad_id: tokens != pad_id,
    "zero": lambda tokens, pad_id: tokens == 0,
    "up to": lambda tokens, pad_id: tokens <= pad_id,
    "from the first on": lambda tokens, pad_id: (tokens == pad_id).int().cumsum(-1) > 0,
    "not zero": lambda tokens, pad_id: tokens != 0,
}
FORMS = {
    "keys": lambda mask: mask[:, None, None, :],
    "tokens": lambda mask: mask,
    "no heads": lambda mask: mask[:, None, :],
    "queries": lambda mask: mask[:, None, :, None],
    "every query": lambda mask: mask[:, None, None, :].repeat(1, 1, mask.shape[1], 1),
    "every query, no heads": lambda mask: mask[:, None, :].repeat(1, mask.shape[1], 1),
}


def _mask(tokens, pad_id, *, cells="right", form="keys", dtype=torch.bool):
    """One slip for each option, so that two of them are known as two."""
    return FORMS[form](CELLS[cells](tokens, pad_id)).to(dtype)


create_padding_mask = CodeExam(
    exercise="create_padding_mask",
    covers=("A6",),
    function=masks.create_padding_mask,
    outputs=("mask",),
    criteria=(
        CodeCriterion("padding is blocked as a key", 1, lambda draw: _tokens(draw, 0)),
        CodeCriterion("padding with another number", 0.5, lambda draw: _tokens(draw, _pad_id(draw))),
        CodeCriterion(
            "the tokens are left unchanged",
            0.5,
            lambda draw: _tokens(draw, 0),
            "arguments after",
            side=True,
        ),
    ),
    misconceptions=(
        Misconception(
            "mask-inverted",
            "Your mask is inverted: it is True for real tokens, but True means masked here.",
            partial(_mask, cells="inverted"),
            hint="compare",
        ),
        Misconception(
            "mask-b-n",
            "Your mask has shape (B, n): insert two dimensions of size 1, for heads and queries: (B, 1, 1, n).",
            partial(_mask, form="tokens"),
            hint="two more dimensions",
        ),
        Misconception(
            "mask-b-1-n",
            "Your mask has shape (B, 1, n): insert one more dimension of size 1, so that heads and queries both have "
            "one.",
            partial(_mask, form="no heads"),
            hint="two more dimensions",
        ),
        Misconception(
            "mask-b-1-n-1",
            "Your mask has shape (B, 1, n, 1), which masks queries. Padding is masked as a key, in the last dimension.",
            partial(_mask, form="queries"),
            hint="who is blocked",
        ),
        Misconception(
            "compare-0-whatever-pad-id",
            "You compare with 0 whatever pad_id is: compare with pad_id.",
            partial(_mask, cells="zero"),
            hint="compare",
        ),
        Misconception(
            "up-to-pad-id",
            "You mask all ids up to pad_id; only pad_id itself is padding. Compare with ==.",
            partial(_mask, cells="up to"),
            hint="compare",
        ),
        Misconception(
            "from-the-first-on",
            "You mask everything from the first padding on; only tokens that are pad_id are padding.",
            partial(_mask, cells="from the first on"),
            hint="compare",
        ),
        Misconception(
            "not-zero",
            "Your mask is True where a token is not 0: it is inverted, and ignores pad_id. Compare tokens == pad_id.",
            partial(_mask, cells="not zero"),
            hint="compare",
        ),
        *(
            Misconception(
                f"mask-holds-{name}",
                f"Your mask has dtype {str(dtype).removeprefix('torch.')}, expected bool: return the comparison.",
                partial(_mask, dtype=dtype),
                hint="compare",
            )
            for name, dtype in OTHER_DTYPES.items()
        ),
        Misconception(
            "repeat-mask-every-query-dimension",
            "You repeat the mask for every query: a dimension of size 1 broadcasts, so return (B, 1, 1, n).",
            partial(_mask, form="every query"),
            hint="two more dimensions",
        ),
        Misconception(
            "every-query-no-heads",
            "Your mask has shape (B, n, n), a copy for every query: return (B, 1, 1, n), which broadcasts over heads "
            "and queries.",
            partial(_mask, form="every query, no heads"),
            hint="two more dimensions",
        ),
    ),
    accepted=(
        lambda tokens, pad_id: (tokens == pad_id).unsqueeze(1).unsqueeze(1),
        lambda tokens, pad_id: tokens.eq(pad_id).view(len(tokens), 1, 1, -1),
        lambda tokens, pad_id: ~(tokens != pad_id)[:, None, None],
        lambda tokens, pad_id: torch.tensor([[[[t == pad_id for t in row]]] for row in tokens.tolist()]),
        lambda tokens, pad_id: torch.where(tokens == pad_id, True, False)[:, None, None, :],
    ),
)
