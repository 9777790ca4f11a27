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

CALLS, ROWS = 10, 400  # for each prompt: frequencies are then within 0.04 of the probabilities, five deviations
NEAR = 0.04
FAR = 0.15  # the sum over all pairs of tokens; right answers stay below 0.1, noise that is used twice is above 0.4
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
    """What the first new token is drawn from, named in words, and whether the second follows it.

    Words name what the exam knows; anything else is told by its numbers, so that it is taken for nothing known.
    """
    table, prompt = question.argument("model", Tensor), question.argument("prompt", Tensor)
    model, temperature = TableModel(table), _temperature(question)
    calls = [_new_tokens(question.with_arguments(model=model), seed) for seed in range(CALLS)]
    drawn = torch.stack(calls, 1).flatten(1, 2)  # (prompts, CALLS · ROWS, steps)
    known = _known_probabilities(model, prompt, temperature, _top_k(question))
    word = _same_draws(calls) or _nearest(_frequencies(drawn[..., 0], len(table)), known)
    observed: Outputs = {"what draws the next token": word}
    if drawn.shape[-1] > 1:
        follows = word != RIGHT or _second_follows(model, prompt, drawn, temperature, _top_k(question))
        observed["whether the second token follows the model's probabilities, given the first"] = follows
    return observed


def _temperature(question: Question) -> float:
    return question.argument("temperature", float) if "temperature" in question.arguments else 1.0


def _top_k(question: Question) -> int | None:
    return question.argument("top_k", int) if question.arguments.get("top_k") else None


def _new_tokens(question: Question, seed: int) -> Tensor:
    """(prompts, ROWS, steps): what one call draws, for each prompt in many rows."""
    prompt, table = question.argument("prompt", Tensor), question.argument("model", TableModel).table
    many, vocab, n = prompt.repeat_interleave(ROWS, 0), len(table), prompt.shape[1]
    arguments = list(question.with_arguments(prompt=many.clone()).arguments.values())
    returned = call_with_seed(question.exercise, question.answer, arguments, question.forbidden, seed)
    outputs = question.outputs
    (written,) = named_outputs(question.exercise, returned, outputs).values()
    if not (type(written) is Tensor and written.ndim == 2 and len(written) == len(many) and written.shape[1] > n):
        shape = tuple(written.shape) if type(written) is Tensor else type(written).__name__
        raise Finding(
            f"is {shape}", f"a tensor of {len(many)} rows", "the prompt and what follows it", where=outputs[0]
        )
    if not torch.equal(written[:, :n], many):
        raise Finding("does not begin with the prompt", "the prompt and what follows it", where=outputs[0])
    new = written[:, n:]
    if bool((new < 0).any() or (new >= vocab).any()):
        raise Finding(f"has a token that is not in the vocabulary 0 … {vocab - 1}", where=outputs[0])
    return new.reshape(len(prompt), ROWS, -1).long()


def _same_draws(calls: list[Tensor]) -> str | None:
    """Whether something is drawn less often than it should be."""
    first = [call[..., 0] for call in calls]
    alike = all(bool((call == call[:, :1]).all()) for call in first)
    repeated = all(torch.equal(call, first[0]) for call in first)
    if alike and not repeated:
        return "one draw for all sequences"
    if repeated and not alike:
        return "the same draws in every call"
    return None


def _frequencies(tokens: Tensor, vocab: int) -> Tensor:
    return torch.stack([(tokens == token).double().mean(-1) for token in range(vocab)], -1)


def _nearest(frequencies: Tensor, known: dict[str, Tensor]) -> str:
    far = {word: float((frequencies - probabilities).abs().max()) for word, probabilities in known.items()}
    nearest = RIGHT if far[RIGHT] < NEAR else min(far, key=lambda word: far[word])
    if far[nearest] < NEAR:
        return nearest
    return f"other probabilities, about {', '.join(f'{share:.3f}' for share in frequencies[0].tolist())}"


def _second_follows(model: TableModel, prompt: Tensor, drawn: Tensor, temperature: float, top_k: int | None) -> bool:
    """Whether pairs of tokens come as often as the model says; noise that is used twice shows."""
    vocab = len(model.table)
    for row, tokens in zip(prompt, drawn, strict=True):
        off = 0.0
        for first in range(vocab):
            seconds = tokens[tokens[:, 0] == first, 1]
            context = torch.cat([row, row.new_tensor([first])])[None]
            expected = _known_probabilities(model, context, temperature, top_k)[RIGHT][0]
            share = len(seconds) / len(tokens)
            pairs = share * _frequencies(seconds, vocab) if len(seconds) else torch.zeros(vocab)
            off += float((pairs - share * expected).abs().sum())
        if off > FAR:
            return False
    return True


def _known_probabilities(model: TableModel, prompt: Tensor, temperature: float, top_k: int | None) -> dict[str, Tensor]:
    """The right probabilities, and those of some mistakes."""
    places = model(prompt).double()  # the logits at each position of the prompts
    first, logits, alone = places[:, 0], places[:, -1], model(prompt[:, -1:])[:, -1].double()
    k = top_k or logits.shape[-1]
    kept, least = _only(logits, logits.topk(k).indices), _only(logits, (-logits).topk(k).indices)
    in_order = logits.sort(descending=True).values.masked_fill(torch.arange(logits.shape[-1]) >= k, -torch.inf)
    right = (kept / temperature).softmax(-1)
    scores = {
        "something that ignores the temperature": kept,
        "something that multiplies by the temperature": kept * temperature,
        "something that divides by the temperature twice": kept / temperature**2,
        "something that divides by the root of the temperature": kept / temperature**0.5,
        "something that ignores top_k": logits / temperature,
        "something that ignores temperature and top_k": logits,
        "something that always takes the likeliest token": _only(logits, logits.topk(1).indices),
        "something that gives the tokens kept equal probabilities": kept.masked_fill(kept.isfinite(), 0.0),
        "something that keeps the least likely tokens": least / temperature,
        "something that draws positions in the sorted list, not tokens": in_order / temperature,
        "something that reads the logits at the first position": _only(first, first.topk(k).indices) / temperature,
        "something that reads the last token alone": _only(alone, alone.topk(k).indices) / temperature,
        "a softmax of a softmax": right.masked_fill(~kept.isfinite(), -torch.inf),
        "a softmax of a softmax, over all tokens": right,
        "something that gives the tokens left out a logit of 0": kept.masked_fill(~kept.isfinite(), 0.0) / temperature,
    }
    return {RIGHT: right} | {word: values.softmax(-1) for word, values in scores.items()}


def _only(logits: Tensor, kept: Tensor) -> Tensor:
    return torch.full_like(logits, -torch.inf).scatter(-1, kept, logits.gather(-1, kept))
