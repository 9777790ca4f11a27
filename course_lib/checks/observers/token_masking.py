"""How a function masks tokens, from statistics over many of them: no two random draws are alike."""

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor

from course_lib.checks.finding import Finding
from course_lib.checks.observers.registry import observer
from course_lib.checks.observers.return_values import call_and_look_back
from course_lib.checks.observers.token_ids import require_integers
from course_lib.checks.question import Outputs, Question
from course_lib.checks.remote_task import runs_in_student_process
from course_lib.checks.student_call import call, named_outputs, require_tensor

ROWS, COLUMNS = 8, 6  # the drawn tokens are repeated this often in each direction: statistics need many
NEAR = 5.0  # standard deviations: a right answer is further away once in two million draws


@observer("tokens after the call")
def tokens_after_the_call(question: Question) -> Outputs:
    """The argument tokens after the call; converted to floats, so that misconceptions can be told apart."""
    copies = list(question.copies().values())
    returned, after = call_and_look_back(question.exercise, question.answer, copies, question.forbidden)
    named_outputs(question.exercise, returned, question.outputs)
    return {"the argument tokens, after the call,": require_tensor("tokens", after[0]).double()}


@observer("labels at masked positions")
def labels_at_masked_positions(question: Question) -> Outputs:
    """What inputs and labels hold at masked positions, and at the others."""
    tokens, [(inputs, labels), *_] = _masked(question)
    mask_id = question.argument("mask_id", int)
    masked = inputs == mask_id
    known: dict[str, Tensor | int] = {"the tokens": tokens, "mask_id": mask_id}
    return {
        "what labels hold where inputs has mask_id,": _content(labels, masked, known),
        "what labels hold where inputs has no mask_id,": _content(labels, ~masked, known),
        "what inputs hold where there is no mask_id,": _content(inputs, ~masked, known),
    }


@observer("fraction masked")
def fraction_masked(question: Question) -> Outputs:
    """The fraction of tokens that is masked, compared with p and with what known mistakes give."""
    _, [(inputs, _), *_] = _masked(question)
    masked, p = inputs == question.argument("mask_id", int), question.argument("p", float)
    known = {"p": p, "1 − p": 1 - p, "0.8 p": 0.8 * p, "p²": p * p}
    columns = masked.double().mean(0)
    fraction = float(columns.mean())
    if_independent = NEAR * (p * (1 - p) / masked.numel()) ** 0.5
    tolerance = NEAR * (float(columns.var()) / len(columns)) ** 0.5
    if tolerance > 2 * if_independent:  # positions of several rows are drawn together: too noisy to tell p from p²
        known = {"p": p}
    tolerance = max(tolerance, if_independent)
    nearest = min(known, key=lambda word: abs(fraction - known[word]))
    other = "less than p" if fraction < p else "more than p"  # not the number, which differs between draws
    description = nearest if abs(fraction - known[nearest]) < tolerance else other
    return {"the fraction of tokens that becomes mask_id": description}


@observer("masking pattern")
def masking_pattern(question: Question) -> Outputs:
    """Whether each token is masked independently of the others, and whether the generator alone decides which."""
    _, batches = _masked(question)
    mask_id = question.argument("mask_id", int)
    first, second, again = (inputs == mask_id for inputs, _ in batches)
    counts = first.sum(1)
    if not first.any():
        pattern = "none"
    elif bool((first == first[:1]).all()):
        pattern = "the same in every row"
    elif bool((first == first[:, :1]).all()):
        pattern = "whole rows"
    else:
        pattern = "equally many in every row" if bool((counts == counts[0]).all()) else "each independently"
    return {
        "how positions are chosen": pattern,
        "whether two generators of one seed mask the same positions": torch.equal(first, again),
        "whether a generator masks the same positions when used again": torch.equal(first, second),
    }


def _masked(question: Question) -> tuple[Tensor, list[tuple[Tensor, Tensor]]]:
    """The tokens, and (inputs, labels) of each of three calls."""
    tokens = question.argument("tokens", Tensor).repeat(ROWS, COLUMNS)
    returned = masked_batches(
        question.exercise,
        question.answer,
        tokens,
        question.argument("mask_id", int),
        question.argument("p", float),
        question.argument("generator", int),
        question.outputs,
        question.forbidden,
    )
    batches = []
    for pair in returned:
        inputs, labels = (_require_shape(key, value, tokens) for key, value in zip(question.outputs, pair, strict=True))
        batches.append((inputs, labels))
    return tokens, batches


def _require_shape(key: str, value: object, tokens: Tensor) -> Tensor:
    value = require_integers(key, value)
    if value.shape != tokens.shape:
        raise Finding(f"has shape {tuple(value.shape)}", f"{tuple(tokens.shape)}, that of tokens", where=key)
    return value


@runs_in_student_process
def masked_batches(
    name: str,
    answer: object,
    tokens: Tensor,
    mask_id: int,
    p: float,
    seed: int,
    outputs: Sequence[str],
    forbidden: Sequence[str],
) -> list[tuple[object, ...]]:
    """Three calls: two with one generator, one with another of the same seed. The global seed differs each time."""
    one, other = (torch.Generator().manual_seed(seed) for _ in range(2))
    batches = []
    with torch.random.fork_rng(devices=[]):
        for number, generator in enumerate((one, one, other)):
            torch.manual_seed(number)
            returned = call(name, answer, [tokens.clone(), mask_id, p, generator], forbidden)
            batches.append(tuple(named_outputs(name, returned, outputs).values()))
    return batches


def _content(values: Tensor, where: Tensor, known: Mapping[str, Tensor | int]) -> str:
    """What the values are there, in words; a mixture by what it holds, so that it is taken for nothing else."""
    if not where.any():
        return "(there is no such position)"
    for word, other in known.items():
        if bool((values == other)[where].all()):
            return word
    there = values[where]
    if bool((there == there[0]).all()):
        return str(there[0].item())
    common = there.mode().values
    for word, other in known.items():
        equal = (values == other)[where]
        if bool((equal | (there == common)).all()):
            return f"{word} and {common.item()}"
        if equal.double().mean() > 0.5:
            return f"mostly {word}"
    return f"different numbers, such as {there[0].item()} and {there[-1].item()}"
