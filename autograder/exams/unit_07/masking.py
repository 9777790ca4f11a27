"""The masked-language objective: hide some tokens, and ask for these alone."""

from functools import partial

import torch
from torch import Tensor

from autograder.exam_types import CodeCriterion, CodeExam
from autograder.exam_types.draw import Arguments, Draw
from autograder.exam_types.exam import Misconception
from autograder.exams.unit_07.sizes import draw_tokens
from course_lib.models import encoder_only

MASK_ID = 3


def _tokens(draw: Draw) -> Tensor:
    return draw_tokens(draw, 6, 9, 30, first=4)


def _sure(p: float):
    return lambda draw: [_tokens(draw), MASK_ID, p]


def _drawn(draw: Draw) -> Arguments:
    tokens = draw_tokens(draw, 8, 10, 30, first=4)
    return [tokens, MASK_ID, round(0.4 + draw.uniform(0, 0.04), 2), draw.sizes(1)[0]]


def _flawed(
    tokens, mask_id, p, generator=None, *, choose="each", label="tokens", other=-100, hide="mask_id", swap=False
):
    """One slip for each option."""
    if choose == "ignores the generator":
        generator = None
    shape = tokens.shape[-1:] if choose == "same" else tokens.shape
    chosen = (torch.rand(shape, generator=generator) < p).expand(tokens.shape)
    if choose == "inverted":
        chosen = ~chosen
    if choose == "count":
        order = torch.rand(tokens.shape, generator=generator).argsort(-1)
        chosen = order < round(p * tokens.shape[-1])
    hidden = chosen & (torch.rand(tokens.shape, generator=generator) < 0.8) if hide == "bert" else chosen
    inputs = tokens.masked_fill(hidden, mask_id)
    if label == "again":
        chosen = torch.rand(tokens.shape, generator=generator) < p
    if label == "inverted":
        chosen = ~chosen
    labels = torch.where(chosen, inputs if label == "inputs" else tokens, tokens if other == "tokens" else other)
    return (labels, inputs) if swap else (inputs, labels)


def _with(**slip: object):
    """Not a partial: pairs of these slips are rare, and each costs thousands of draws to tell."""
    return lambda tokens, mask_id, p, generator=None: _flawed(tokens, mask_id, p, generator, **slip)


def _in_place(tokens, mask_id, p, generator=None):
    chosen = torch.rand(tokens.shape, generator=generator) < p
    labels = tokens.clone()
    labels[~chosen] = -100
    tokens[chosen] = mask_id
    return tokens, labels


def _by_bernoulli(tokens, mask_id, p, generator=None):
    chosen = torch.bernoulli(torch.full(tokens.shape, float(p)), generator=generator).bool()
    inputs, labels = tokens.clone(), torch.full_like(tokens, -100)
    inputs[chosen] = mask_id
    labels[chosen] = tokens[chosen]
    return inputs, labels


def _by_loops(tokens, mask_id, p, generator=None):
    inputs, labels = tokens.clone(), tokens.clone()
    draws = torch.rand(tokens.numel(), generator=generator).tolist()
    for i in range(tokens.shape[0]):
        for j in range(tokens.shape[1]):
            if draws[i * tokens.shape[1] + j] < p:
                inputs[i, j] = mask_id
            else:
                labels[i, j] = -100
    return inputs, labels


def _by_arithmetic(tokens, mask_id, p, generator=None):
    keep = (torch.empty(tokens.shape).uniform_(generator=generator) >= p).long()
    return [tokens * keep + mask_id * (1 - keep), tokens * (1 - keep) - 100 * keep]


mask_tokens = CodeExam(
    exercise="mask_tokens",
    covers=("A10",),
    function=encoder_only.mask_tokens,
    outputs=("inputs", "labels"),
    criteria=(
        CodeCriterion("with p = 1 every token is hidden", 0.5, _sure(1.0), "token ids", visible=True),
        CodeCriterion("with p = 0 none is", 0.5, _sure(0.0), "token ids", visible=True),
        CodeCriterion("only hidden tokens have labels", 2, _drawn, "labels at masked positions", visible=True),
        CodeCriterion("a share of p is hidden", 1, _drawn, "fraction masked", visible=True),
        CodeCriterion("each token by itself, as the generator decides", 1.5, _drawn, "masking pattern"),
        CodeCriterion("the tokens are left unchanged", 0.5, _sure(1.0), "tokens after the call"),
    ),
    misconceptions=(
        Misconception(
            "other-tokens",
            "Your labels ask for every token: where nothing is hidden the answer is in plain sight, so put −100 there.",
            _with(other="tokens"),
            hint="two tensors from one choice",
        ),
        Misconception(
            "other-0",
            "Your labels have 0 where nothing is hidden, and 0 is a token; cross-entropy leaves out −100.",
            _with(other=0),
            hint="two tensors from one choice",
        ),
        Misconception(
            "choose-inverted",
            "You hide tokens with probability 1 − p: choose where torch.rand < p.",
            _with(choose="inverted"),
        ),
        Misconception(
            "label-inverted",
            "Your labels keep the tokens that are not hidden; it is the hidden ones that are asked for.",
            _with(label="inverted"),
            hint="two tensors from one choice",
        ),
        Misconception(
            "choose-count",
            "You hide equally many tokens in every row; each token is chosen by itself.",
            _with(choose="count"),
            hint="one number for each token",
        ),
        Misconception(
            "choose-same",
            "You hide the same places in every row: draw a number for each token.",
            _with(choose="same"),
            hint="one number for each token",
        ),
        Misconception(
            "choose-ignores-the-generator",
            "Your places do not depend on the generator: hand it to torch.rand.",
            _with(choose="ignores the generator"),
            hint="nearly there",
        ),
        Misconception(
            "label-inputs",
            "Your labels are taken after hiding, so they ask for mask_id; take them from the tokens.",
            _with(label="inputs"),
            hint="nearly there",
        ),
        Misconception(
            "label-again",
            "You draw twice: inputs and labels must agree on which tokens are hidden.",
            _with(label="again"),
        ),
        Misconception(
            "swap",
            "You return (labels, inputs); the order asked for is (inputs, labels).",
            _with(swap=True),
            hint="nearly there",
        ),
        Misconception(
            "hide-bert",
            "You hide four in five of the chosen tokens, as BERT does; here every chosen one becomes mask_id.",
            _with(hide="bert"),
            hint="one number for each token",
        ),
        Misconception(
            "in-place",
            "You hide tokens in place and change those of your caller: work on a copy.",
            _in_place,
            hint="nearly there",
        ),
    ),
    accepted=(partial(_flawed), _by_bernoulli, _by_loops, _by_arithmetic),
)
