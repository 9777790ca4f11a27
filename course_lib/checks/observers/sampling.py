"""How a function samples tokens: next-token probabilities are estimated from thousands of draws.

A comparison for one seed would fail right answers that draw in another order.
"""

import torch
from torch import Tensor, nn

from course_lib.checks.finding import Finding
from course_lib.checks.observers.registry import observer
from course_lib.checks.observers.token_ids import call_with_seed, token_ids
from course_lib.checks.question import Outputs, Question
from course_lib.checks.student_call import named_outputs

DRAWS = 2500  # for each prompt: frequencies are then within 0.05 of the probabilities, five standard deviations
NEAR = 0.05
RIGHT = "softmax(logits / temperature) over the top_k likeliest tokens"


class TableModel(nn.Module):
    """A model whose logits at each position depend on the sum of all tokens up to it, modulo the rows of `table`."""

    callback_methods: tuple[str, ...] = ()

    def __init__(self, table: Tensor):
        super().__init__()
        self.table = table

    def forward(self, tokens: Tensor) -> Tensor:
        return self.table[tokens.cumsum(1) % len(self.table)]


@observer("generated tokens")
def generated_tokens(question: Question) -> Outputs:
    """The tokens that are generated with a model of this table."""
    return token_ids(question.with_arguments(model=TableModel(question.argument("model", Tensor))))


@observer("next-token probabilities")
def next_token_probabilities(question: Question) -> Outputs:
    """The probabilities of the first new token, named in words; estimated by drawing it often for each prompt."""
    table, prompt = question.argument("model", Tensor), question.argument("prompt", Tensor)
    model, vocab, n = TableModel(table), len(table), prompt.shape[1]
    many = prompt.repeat_interleave(DRAWS, 0)
    arguments = question.with_arguments(model=model, prompt=many).arguments
    returned = call_with_seed(question.exercise, question.answer, list(arguments.values()), question.forbidden)
    outputs = question.outputs
    (written,) = named_outputs(question.exercise, returned, outputs).values()
    if not (type(written) is Tensor and written.ndim == 2 and len(written) == len(many) and written.shape[1] > n):
        shape = tuple(written.shape) if type(written) is Tensor else type(written).__name__
        raise Finding(
            f"is {shape}", f"a tensor of {len(many)} rows", "the prompt and what follows it", where=outputs[0]
        )
    drawn = written[:, n].reshape(len(prompt), DRAWS)
    if bool((drawn < 0).any() or (drawn >= vocab).any()):
        raise Finding(f"has a token that is not in the vocabulary 0 … {vocab - 1}", where=outputs[0])
    frequencies = torch.stack([(drawn == token).double().mean(1) for token in range(vocab)], 1)
    temperature = question.argument("temperature", float) if "temperature" in arguments else 1.0
    top_k = question.argument("top_k", int) if arguments.get("top_k") else None
    known = _known_odds(model(prompt).double(), temperature, top_k)
    near = (word for word, odds in known.items() if bool((frequencies - odds).abs().max() < NEAR))
    return {"what draws the next token": next(near, "something with other odds")}


def _known_odds(places: Tensor, temperature: float, top_k: int | None) -> dict[str, Tensor]:
    """The right probabilities, and those of some mistakes; `places` are the logits at each position of the prompts."""
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
