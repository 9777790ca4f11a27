"""Writing with a decoder: temperature and top-k, judged by the odds of what is drawn."""

from functools import partial

import torch
from torch import Tensor

from autograder.exam_types import CodeCriterion, CodeExam
from autograder.exam_types.draw import Arguments, Draw
from autograder.exam_types.exam import Misconception
from autograder.exams.unit_07.sampling_styles import by_filling, by_loop, by_noise, by_sorting
from autograder.exams.unit_07.sizes import draw_tokens
from course_lib.models import decoder_only

# In each row of logits the same numbers in another order: far enough apart for the odds of mistakes to differ.
LOGITS = torch.tensor([2.0, 1.4, 0.8, 0.2, -0.4, -1.0])
VOCAB = len(LOGITS)


def _table(draw: Draw) -> Tensor:
    """A row of logits for each sum of tokens; every row has another favourite."""
    turns = draw.normal(VOCAB).argsort()
    return torch.stack([LOGITS[(turns + i) % VOCAB] for i in range(VOCAB)])


def _table_and_prompts(draw: Draw) -> list[Tensor]:
    """Prompts of three tokens whose sums tell a model that reads all of them from one that reads the first or the last.

    The favourite is never token 0, which is also the place of every favourite in a sorted list.
    """
    table = _table(draw)
    first = draw_tokens(draw, 2, 1, VOCAB).flatten().tolist()
    rows = []
    for a in first:
        b = (1 - a) % VOCAB
        c = next(c for c in range(VOCAB) if c != a and (b + c) % VOCAB and table[(1 + c) % VOCAB].argmax() != 0)
        rows.append([a, b, c])
    return [table, torch.tensor(rows)]


def _greedy(draw: Draw) -> Arguments:
    return [*_table_and_prompts(draw), 5, 1.0, 1]


def _drawn(*knobs: object):
    """One prompt, of which thousands of continuations are drawn."""

    def arguments(draw: Draw) -> Arguments:
        table, prompts = _table_and_prompts(draw)
        return [table, prompts[:1], *knobs]

    return arguments


def _flawed(
    model,
    prompt,
    steps,
    temperature=1.0,
    top_k=None,
    *,
    reads="all",
    place=-1,
    scale="divide",
    keep="likeliest",
    draw="tokens",
    hands="all",
):
    """One slip for each option."""
    tokens = prompt
    for _ in range(steps):
        logits = model(tokens[:, -1:] if reads == "last" else prompt if reads == "prompt" else tokens)[:, place]
        logits = {"divide": logits / temperature, "multiply": logits * temperature, "ignore": logits}[scale]
        k = logits.shape[-1] if top_k is None or keep == "everything" else top_k
        best = (-logits if keep == "least" else logits).topk(k).indices
        odds = logits.gather(-1, best).softmax(-1)
        if draw == "equal":
            odds = torch.ones_like(odds)
        if draw == "likeliest":
            odds = torch.nn.functional.one_hot(odds.argmax(-1), k).float()
        place_in_best = torch.multinomial(odds, 1)
        tokens = torch.cat([tokens, place_in_best if draw == "places" else best.gather(-1, place_in_best)], 1)
    return {"all": tokens, "new": tokens[:, prompt.shape[1] :], "less": tokens[:, :-1]}[hands]


def _with(**slip: object):
    """Not a partial: every two slips at once would take too many draws to try."""
    return lambda model, prompt, steps, temperature=1.0, top_k=None: _flawed(
        model, prompt, steps, temperature, top_k, **slip
    )


generate = CodeExam(
    exercise="generate",
    covers=("A10",),
    function=decoder_only.generate,
    outputs=("tokens",),
    criteria=(
        CodeCriterion("top_k = 1 writes the likeliest token each time", 3, _greedy, "generated tokens", visible=True),
        CodeCriterion("tokens are drawn with the odds of the softmax", 2, _drawn(2), "next-token probabilities"),
        CodeCriterion("a low temperature sharpens the odds", 1, _drawn(1, 0.4), "next-token probabilities"),
        CodeCriterion("top_k and temperature together", 2, _drawn(1, 2.0, 3), "next-token probabilities", visible=True),
    ),
    misconceptions=(
        Misconception(
            "scale-multiply",
            "You multiply by the temperature: divide, since a high temperature makes the odds more equal. (It is "
            "1/beta of unit 02.)",
            _with(scale="multiply"),
            hint="drawing",
        ),
        Misconception(
            "scale-ignore",
            "Your temperature has no effect: divide the logits by it before the softmax, not the odds after it.",
            _with(scale="ignore"),
            hint="drawing",
        ),
        Misconception(
            "keep-everything",
            "Your top_k has no effect: draw among the top_k likeliest tokens only.",
            _with(keep="everything"),
        ),
        Misconception(
            "keep-least",
            "You keep the least likely tokens; top_k keeps the likeliest.",
            _with(keep="least"),
            hint="top-k",
        ),
        Misconception(
            "draw-places",
            "You append places in the list of the top tokens: look up which token stands at the place drawn.",
            _with(draw="places"),
            hint="top-k",
        ),
        Misconception(
            "draw-likeliest",
            "You always take the likeliest token; draw with torch.multinomial.",
            _with(draw="likeliest"),
            hint="drawing",
        ),
        Misconception(
            "draw-equal",
            "Your tokens have equal odds, or nearly so: draw with those of the softmax, and take it only once.",
            _with(draw="equal"),
            hint="drawing",
        ),
        Misconception(
            "place-0",
            "You read the logits at the first place; those of the last place are about the next token.",
            _with(place=0),
            hint="one round",
        ),
        Misconception(
            "reads-last",
            "You hand the model its last token alone, so it forgets what came before: hand it all tokens so far.",
            _with(reads="last"),
            hint="one round",
        ),
        Misconception(
            "reads-prompt",
            "You hand the model the prompt in every step, so it never reads what it wrote.",
            _with(reads="prompt"),
            hint="one round",
        ),
        Misconception(
            "hands-new",
            "You return the new tokens alone: return the prompt and the new ones.",
            _with(hands="new"),
            hint="one round",
        ),
        Misconception("hands-less", "You write one token too few.", _with(hands="less"), hint="one round"),
    ),
    accepted=(partial(_flawed), by_filling, by_noise, by_sorting, by_loop),
)
