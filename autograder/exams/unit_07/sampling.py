"""Generating with a decoder: temperature and top-k, judged by the frequencies of what is drawn."""

from functools import partial

import torch
from torch import Tensor

from autograder.exam_types import CodeCriterion, CodeExam
from autograder.exam_types.draw import Arguments, Draw
from autograder.exam_types.exam import Misconception
from autograder.exams.unit_07.sampling_styles import by_filling, by_loop, by_noise, by_sorting, in_eval_mode
from autograder.exams.unit_07.sizes import draw_tokens
from course_lib.models import decoder_only

# In each row of logits the same numbers in another order: far enough apart for the odds of mistakes to differ.
LOGITS = torch.tensor([2.0, 1.4, 0.8, 0.2, -0.4, -1.0])
VOCAB = len(LOGITS)


def _table(draw: Draw) -> Tensor:
    """A row of logits for each sum of tokens; every row has another favourite, and another constant added."""
    turns = draw.normal(VOCAB).argsort()
    return torch.stack([LOGITS[(turns + i) % VOCAB] + 0.7 * i for i in range(VOCAB)])


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
    table, prompts = _table_and_prompts(draw)
    table[:, 0] -= 3.0  # a favourite token 0 would leave the sum, and with it all tokens after it, the same
    return [table, prompts, 9, 1.0, 1]


def _drawn(*knobs: object, scale: float = 1.0):
    """Two prompts, of which thousands of continuations are drawn; a small scale evens the probabilities."""

    def arguments(draw: Draw) -> Arguments:
        table, prompts = _table_and_prompts(draw)
        return [scale * table, prompts, *knobs]

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
    softmax="once",
    draw="tokens",
    seed="given",
    hands="all",
):
    """One slip for each option."""
    tokens = prompt
    if seed == "fixed":
        torch.manual_seed(0)
    for _ in range(steps):
        if seed == "again":
            torch.manual_seed(torch.initial_seed())
        read = {"last": tokens[:, -1:], "prompt": prompt, "window": tokens[:, -8:], "all": tokens}[reads]
        logits = model(read)[:, place]
        power = {"divide": 1, "multiply": -1, "ignore": 0, "twice": 2}[scale]
        logits = logits / temperature**power
        k = logits.shape[-1] if top_k is None or keep in ("everything", "zeros") else top_k
        if keep == "zeros" and top_k is not None:
            logits = torch.where(logits >= logits.topk(top_k).values[:, -1:], logits, 0.0)
        best = (-logits if keep == "least" else logits).topk(k).indices
        probabilities = logits.gather(-1, best).softmax(-1)
        if softmax == "twice, of all":
            every = torch.zeros_like(logits).scatter(-1, best, probabilities)
            best, probabilities, k = torch.arange(len(logits[0])).expand_as(logits), every.softmax(-1), len(logits[0])
        if softmax == "twice":
            probabilities = probabilities.softmax(-1)
        if draw == "equal":
            probabilities = torch.ones_like(probabilities)
        if draw == "likeliest":
            probabilities = torch.nn.functional.one_hot(probabilities.argmax(-1), k).float()
        place_in_best = torch.multinomial(probabilities, 1)
        if draw == "one":
            place_in_best = place_in_best[:1].expand_as(place_in_best)
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
        CodeCriterion("top_k = 1 writes the likeliest token each time", 3, _greedy, "generated tokens"),
        CodeCriterion(
            "tokens are drawn with the odds of the softmax", 2, _drawn(2, scale=0.5), "next-token probabilities", True
        ),
        CodeCriterion("a low temperature sharpens the odds", 1, _drawn(1, 0.55), "next-token probabilities", True),
        CodeCriterion("top_k and temperature together", 2, _drawn(1, 2.6, 3), "next-token probabilities"),
    ),
    misconceptions=(
        Misconception(
            "scale-multiply",
            "You multiply the logits by the temperature. Divide: a high temperature flattens the distribution. (It is "
            "1/beta of unit 02.)",
            _with(scale="multiply"),
            hint="drawing",
        ),
        Misconception(
            "scale-ignore",
            "Your temperature has no effect: divide the logits by it, before the softmax.",
            _with(scale="ignore"),
            hint="drawing",
        ),
        Misconception(
            "keep-everything",
            "Your top_k has no effect: sample among the top_k most probable tokens only.",
            _with(keep="everything"),
            hint="top-k",
        ),
        Misconception(
            "ignore-both",
            "Your temperature and your top_k have no effect: divide the logits by the temperature, and sample among "
            "the top_k most probable tokens only.",
            _with(scale="ignore", keep="everything"),
            hint="top-k",
        ),
        Misconception(
            "keep-zeros",
            "You set the logits that top_k leaves out to 0, which is an ordinary logit: set them to −inf.",
            _with(keep="zeros"),
            hint="top-k",
        ),
        Misconception(
            "keep-least",
            "You keep the least probable tokens: top_k keeps the most probable ones.",
            _with(keep="least"),
            hint="top-k",
        ),
        Misconception(
            "draw-places",
            "You append indices into the list of top tokens: look up the token at that index, ids.gather(-1, index).",
            _with(draw="places"),
            hint="top-k",
        ),
        Misconception(
            "draw-likeliest",
            "You always take the most probable token: sample with torch.multinomial.",
            _with(draw="likeliest"),
            hint="drawing",
        ),
        Misconception(
            "draw-equal",
            "Your tokens are equally probable: sample with the probabilities of the softmax.",
            _with(draw="equal"),
            hint="drawing",
        ),
        Misconception(
            "softmax-twice",
            "You apply the softmax twice, which flattens the distribution: apply it once.",
            _with(softmax="twice"),
            hint="drawing",
        ),
        Misconception(
            "softmax-twice",
            "You apply the softmax twice, which flattens the distribution: apply it once.",
            _with(softmax="twice, of all"),
            hint="drawing",
        ),
        Misconception(
            "scale-twice",
            "You divide by the temperature twice: divide the logits by it once.",
            _with(scale="twice"),
            hint="drawing",
        ),
        Misconception(
            "reads-window",
            "You pass only the newest few tokens to the model, as nanoGPT crops to its block size: pass all tokens "
            "so far.",
            _with(reads="window"),
            hint="one round",
        ),
        Misconception(
            "draw-one",
            "You draw once for the whole batch: each sequence draws its own token.",
            _with(draw="one"),
            hint="drawing",
        ),
        Misconception(
            "seed-fixed",
            "You set the seed inside the function, so every call draws the same tokens: leave the seed to your caller.",
            _with(seed="fixed"),
            hint="drawing",
        ),
        Misconception(
            "seed-again",
            "You set the seed again at each step, so steps don't draw independently: leave the seed to your caller.",
            _with(seed="again"),
            hint="drawing",
        ),
        Misconception(
            "place-0",
            "You use the logits of the first position: those of the last one are about the next token.",
            _with(place=0),
            hint="one round",
        ),
        Misconception(
            "reads-last",
            "You pass only the newest token to the model: pass all tokens so far.",
            _with(reads="last"),
            hint="one round",
        ),
        Misconception(
            "reads-prompt",
            "You pass the prompt in every step, so the model never sees what it generated: pass all tokens so far.",
            _with(reads="prompt"),
            hint="one round",
        ),
        Misconception(
            "hands-new",
            "You return the new tokens alone: return the prompt followed by them.",
            _with(hands="new"),
            hint="one round",
        ),
        Misconception("hands-less", "You generate one token less than `steps`.", _with(hands="less"), hint="one round"),
    ),
    accepted=(partial(_flawed), by_filling, by_noise, by_sorting, by_loop, in_eval_mode),
)
