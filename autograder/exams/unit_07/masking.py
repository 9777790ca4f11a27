"""Masked language modeling: hide some tokens, and predict these alone."""

from functools import partial

import torch

from autograder.exam_types import CodeCriterion, CodeExam
from autograder.exam_types.draw import Arguments, Draw
from autograder.exam_types.exam import Misconception
from autograder.exams.unit_07.sizes import draw_tokens
from course_lib.models import encoder_only

VOCAB = 30


def _tokens(draw: Draw, rows: int, n: int) -> list[object]:
    """Tokens among which are 0 and other special ones, and a mask_id that is none of them."""
    mask_id = 3 + draw.sizes(1)[0]
    tokens = draw_tokens(draw, rows, n, VOCAB - 1)
    tokens[0, :3] = torch.tensor([0, 1, 2])
    return [tokens + (tokens >= mask_id), mask_id]


def _sure(p: float):
    return lambda draw: [*_tokens(draw, 6, 9), p]


def _drawn(draw: Draw) -> Arguments:
    return [*_tokens(draw, 8, 10), round(0.28 + draw.uniform(0, 0.04), 2), draw.sizes(1)[0]]


def _flawed(
    tokens, mask_id, p, generator=None, *, choose="each", label="tokens", other=-100, hide="mask_id", swap=False
):
    """One slip for each option."""
    if choose == "ignores the generator":
        generator = None
    if choose == "seeds the generator" and generator is not None:
        generator.manual_seed(0)
    shape = {"same": tokens.shape[-1:], "rows": (*tokens.shape[:-1], 1)}.get(choose, tokens.shape)
    chosen = (torch.rand(shape, generator=generator) < p).expand(tokens.shape)
    if choose == "inverted":
        chosen = ~chosen
    if choose == "count":
        order = torch.rand(tokens.shape, generator=generator).argsort(-1)
        chosen = order < round(p * tokens.shape[-1])
    if choose in ("not 0", "not special"):
        chosen = chosen & (tokens > (2 if choose == "not special" else 0))
    share = torch.rand(tokens.shape, generator=generator) if hide.startswith("bert") else torch.zeros(tokens.shape)
    inputs = tokens.masked_fill(chosen & (share < 0.8), mask_id)
    if hide == "bert, others too":
        others = torch.randint(0, 3, tokens.shape, generator=generator)
        inputs = torch.where(chosen & (share >= 0.9), others, inputs)
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


BERT = (
    "You mask only part of the chosen tokens, as BERT does (80 % masked, 10 % random, 10 % unchanged). Here every "
    "chosen token becomes mask_id."
)

mask_tokens = CodeExam(
    exercise="mask_tokens",
    covers=("A10",),
    function=encoder_only.mask_tokens,
    outputs=("inputs", "labels"),
    criteria=(
        CodeCriterion("with p = 1 every token is hidden", 0.5, _sure(1.0), "token ids"),
        CodeCriterion("with p = 0 none is", 0.5, _sure(0.0), "token ids"),
        CodeCriterion("only hidden tokens have labels", 2, _drawn, "labels at masked positions"),
        CodeCriterion("a share of p is hidden", 1, _drawn, "fraction masked"),
        CodeCriterion("each token by itself, as the generator decides", 1.5, _drawn, "masking pattern", True),
        CodeCriterion("the tokens are left unchanged", 0.5, _sure(1.0), "tokens after the call", True, side=True),
    ),
    misconceptions=(
        Misconception(
            "other-tokens",
            "Your labels hold every token: where nothing is masked the model sees the answer, so put −100 there.",
            _with(other="tokens"),
            hint="two tensors from one choice",
        ),
        *(
            Misconception(
                f"other-{word}",
                f"Your labels are {shown} where nothing is masked, expected −100, which F.cross_entropy ignores.",
                _with(other=number),
                hint="two tensors from one choice",
            )
            for word, shown, number in (("0", "0", 0), ("minus-1", "−1", -1))
        ),
        Misconception(
            "choose-inverted",
            "You mask tokens with probability 1 − p: choose where torch.rand(…) < p.",
            _with(choose="inverted"),
            hint="one number for each token",
        ),
        Misconception(
            "choose-not-0",
            "You never mask token 0. Here every token, 0 included, is masked with probability p.",
            _with(choose="not 0"),
            hint="one number for each token",
        ),
        Misconception(
            "choose-not-special",
            "You never mask the tokens 0, 1 and 2, as if they were special tokens (BERT leaves [CLS] and [SEP] out). "
            "Here every token is masked with probability p.",
            _with(choose="not special"),
            hint="one number for each token",
        ),
        Misconception(
            "label-inverted",
            "Your labels hold the tokens that aren't masked: it is the masked ones that are predicted.",
            _with(label="inverted"),
            hint="two tensors from one choice",
        ),
        Misconception(
            "choose-count",
            "You mask equally many tokens in every sequence: choose each token independently.",
            _with(choose="count"),
            hint="one number for each token",
        ),
        Misconception(
            "choose-same",
            "You mask the same positions in every sequence: draw a number for each token.",
            _with(choose="same"),
            hint="one number for each token",
        ),
        Misconception(
            "choose-rows",
            "You mask whole sequences: draw a number for each token, not one for each row.",
            _with(choose="rows"),
            hint="one number for each token",
        ),
        Misconception(
            "choose-ignores-the-generator",
            "Your choice doesn't depend on the generator: pass it to torch.rand.",
            _with(choose="ignores the generator"),
            hint="nearly there",
        ),
        Misconception(
            "choose-seeds-the-generator",
            "You set the generator's seed, so it masks the same positions in every batch: use it as it is.",
            _with(choose="seeds the generator"),
            hint="nearly there",
        ),
        Misconception(
            "label-inputs",
            "You take the labels after masking, so they hold mask_id: take them from the tokens.",
            _with(label="inputs"),
            hint="nearly there",
        ),
        Misconception(
            "label-again",
            "You draw twice: inputs and labels must agree on which tokens are masked.",
            _with(label="again"),
            hint="two tensors from one choice",
        ),
        Misconception(
            "swap",
            "You return (labels, inputs), expected (inputs, labels).",
            _with(swap=True),
            hint="nearly there",
        ),
        Misconception("hide-bert", BERT, _with(hide="bert"), hint="one number for each token"),
        Misconception("hide-bert", BERT, _with(hide="bert, others too"), hint="one number for each token"),
        Misconception(
            "in-place",
            "You mask in place, which changes your caller's tokens: work on a copy.",
            _in_place,
            hint="nearly there",
        ),
    ),
    accepted=(partial(_flawed), _by_bernoulli, _by_loops, _by_arithmetic),
)
