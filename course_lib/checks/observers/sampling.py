"""The odds with which a function draws the next token, from thousands of draws: a seed would prove nothing."""

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor, nn

from course_lib.checks.finding import Finding
from course_lib.checks.observers.return_values import Outputs
from course_lib.checks.observers.token_masking import call_with_seed, whole_tokens
from course_lib.checks.student_call import named_outputs

DRAWS = 2500  # for each prompt: frequencies are then within 0.05 of their odds, five standard deviations
NEAR = 0.05
RIGHT = "softmax(logits / temperature) over the top_k likeliest tokens"


class Remembers(nn.Module):
    """A model whose logits at each place depend on the sum of all tokens up to it; `table` has a row for each sum."""

    callback_methods = ()

    def __init__(self, table: Tensor):
        super().__init__()
        self.table = table

    def forward(self, tokens: Tensor) -> Tensor:
        return self.table[tokens.cumsum(1) % len(self.table)]


def tokens_written(
    name: str,
    answer: object,
    arguments: Mapping[str, object],
    outputs: Sequence[str],
    forbidden: Sequence[str] = (),
) -> Outputs:
    """What is returned for the model of this table."""
    given = arguments | {"model": Remembers(arguments["model"])}
    return whole_tokens(name, answer, given, outputs, forbidden)


def odds_of_the_next_token(
    name: str,
    answer: object,
    arguments: Mapping[str, object],
    outputs: Sequence[str],
    forbidden: Sequence[str] = (),
) -> Outputs:
    """With which odds the first new token is drawn, in words; each row of the prompt is asked many times."""
    model, prompt, *details = arguments.values()
    many = prompt.repeat_interleave(DRAWS, 0)
    returned = call_with_seed(name, answer, [Remembers(model), many, *details], forbidden)
    (written,) = named_outputs(name, returned, outputs).values()
    n = prompt.shape[1]
    if not (type(written) is Tensor and written.ndim == 2 and len(written) == len(many) and written.shape[1] > n):
        shape = tuple(written.shape) if type(written) is Tensor else type(written).__name__
        raise Finding(f"{outputs[0]} is {shape}, expected a tensor of {len(many)} rows: the prompt and what follows it")
    drawn = written[:, n].reshape(len(prompt), DRAWS)
    if bool((drawn < 0).any() or (drawn >= len(model)).any()):
        raise Finding(f"{outputs[0]} has a token that is not in the vocabulary 0 … {len(model) - 1}")
    frequencies = torch.stack([(drawn == token).double().mean(1) for token in range(len(model))], 1)
    places = Remembers(model)(prompt).double()
    known = _known_odds(places, *(details[1:] or [1.0]))
    near = (word for word, odds in known.items() if bool((frequencies - odds).abs().max() < NEAR))
    said = next(near, "something with other odds")
    return {"what draws the next token": said}


def _known_odds(places: Tensor, temperature: float = 1.0, top_k: int | None = None) -> dict[str, Tensor]:
    """The right odds, and those of some mistakes; places are the logits at each place of the prompts."""
    first, logits = places[:, 0], places[:, -1]
    k = top_k or logits.shape[-1]
    kept, least = _only(logits, logits.topk(k).indices), _only(logits, (-logits).topk(k).indices)
    in_order = logits.sort(descending=True).values.masked_fill(torch.arange(logits.shape[-1]) >= k, -torch.inf)
    odds = {
        RIGHT: kept / temperature,
        "something that ignores the temperature": kept,
        "something that multiplies by the temperature": kept * temperature,
        "something that ignores top_k": logits / temperature,
        "something that always takes the likeliest token": _only(logits, logits.topk(1).indices),
        "something that gives the tokens kept equal odds": kept.masked_fill(kept.isfinite(), 0.0),
        "something that keeps the least likely tokens": least / temperature,
        "something that draws places in the sorted list, not tokens": in_order / temperature,
        "something that reads the logits at the first place": _only(first, first.topk(k).indices) / temperature,
    }
    return {word: scores.softmax(-1) for word, scores in odds.items()}


def _only(logits: Tensor, kept: Tensor) -> Tensor:
    return torch.full_like(logits, -torch.inf).scatter(-1, kept, logits.gather(-1, kept))
