"""What a function that hides tokens does with many of them: in words, since no two draws are alike."""

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor

from course_lib.checks.finding import Finding
from course_lib.checks.observers.return_values import Outputs, call_and_look_back, copy
from course_lib.checks.remote_task import runs_in_student_process
from course_lib.checks.student_call import call, named_outputs, require_tensor

ROWS, COLUMNS = 8, 6  # the tokens are laid side by side so many times, for statistics
ELSE = "something else"
NEAR = 5.0  # standard deviations


def whole_tokens(
    name: str,
    answer: object,
    arguments: Mapping[str, object],
    outputs: Sequence[str],
    forbidden: Sequence[str] = (),
) -> Outputs:
    """What the function returns, which must be whole numbers; as floats, so that known mistakes can be told apart."""
    returned = call_with_seed(name, answer, [copy(value) for value in arguments.values()], forbidden)
    return {key: _whole(key, value).double() for key, value in named_outputs(name, returned, outputs).items()}


@runs_in_student_process
def call_with_seed(
    name: str, answer: object, arguments: Sequence[object], forbidden: Sequence[str] = (), seed: int = 0
) -> object:
    """What a call returns when torch's own random numbers start from this seed, so that a verdict can be repeated."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return call(name, answer, arguments, forbidden)


def tokens_after(
    name: str,
    answer: object,
    arguments: Mapping[str, object],
    outputs: Sequence[str],
    forbidden: Sequence[str] = (),
) -> Outputs:
    """What has become of the tokens that were handed over; as floats, for the same reason."""
    returned, after = call_and_look_back(name, answer, [copy(value) for value in arguments.values()], forbidden)
    named_outputs(name, returned, outputs)
    return {"the argument tokens, after the call,": after[0].double()}


def hidden_tokens(
    name: str,
    answer: object,
    arguments: Mapping[str, object],
    outputs: Sequence[str],
    forbidden: Sequence[str] = (),
) -> Outputs:
    """What inputs and labels hold at the places that are hidden, and at the others."""
    tokens, [(inputs, labels), *_] = _masked(name, answer, arguments, outputs, forbidden)
    mask_id = arguments["mask_id"]
    hidden = inputs == mask_id
    known = {"the tokens": tokens, "-100": -100, "0": 0, "mask_id": mask_id}
    return {
        "what labels hold where inputs has mask_id,": _content(labels, hidden, known),
        "what labels hold where inputs has no mask_id,": _content(labels, ~hidden, known),
        "what inputs hold where there is no mask_id,": _content(inputs, ~hidden, known),
    }


def share_hidden(
    name: str,
    answer: object,
    arguments: Mapping[str, object],
    outputs: Sequence[str],
    forbidden: Sequence[str] = (),
) -> Outputs:
    """How many tokens are hidden."""
    _, [(inputs, _), *_] = _masked(name, answer, arguments, outputs, forbidden)
    hidden, p = inputs == arguments["mask_id"], arguments["p"]
    known = {"p": p, "1 − p": 1 - p, "0.8 p": 0.8 * p, "p²": p * p}
    columns = hidden.double().mean(0)
    share = float(columns.mean())
    alone, near = (NEAR * v**0.5 for v in (p * (1 - p) / hidden.numel(), float(columns.var()) / len(columns)))
    if near > 2 * alone:  # places of several rows are chosen at once, so the share says less: p gets the benefit
        known = {"p": p}
    near = max(near, alone)
    nearest = min(known, key=lambda word: abs(share - known[word]))
    said = nearest if abs(share - known[nearest]) < near else f"{share:.1f}"
    return {"the share of the tokens that becomes mask_id": said}


def places_hidden(
    name: str,
    answer: object,
    arguments: Mapping[str, object],
    outputs: Sequence[str],
    forbidden: Sequence[str] = (),
) -> Outputs:
    """Whether tokens are hidden each by itself, and whether the generator decides which."""
    _, batches = _masked(name, answer, arguments, outputs, forbidden)
    first, second, again = (inputs == arguments["mask_id"] for inputs, _ in batches)
    counts = first.sum(1)
    if not first.any():
        said = "none"
    elif bool((first == first[:1]).all()):
        said = "the same in every row"
    elif bool((first == first[:, :1]).all()):
        said = "whole rows"
    else:
        said = "equally many in every row" if bool((counts == counts[0]).all()) else "each by itself"
    return {
        "how places are chosen": said,
        "whether two generators of one seed hide the same places": torch.equal(first, again),
        "whether a generator hides the same places when used again": torch.equal(first, second),
    }


def _masked(
    name: str, answer: object, arguments: Mapping[str, object], outputs: Sequence[str], forbidden: Sequence[str]
) -> tuple[Tensor, list[tuple[Tensor, Tensor]]]:
    tokens = arguments["tokens"].repeat(ROWS, COLUMNS)
    returned = masked_batches(
        name, answer, tokens, arguments["mask_id"], arguments["p"], arguments["generator"], outputs, forbidden
    )
    for pair in returned:
        for key, value in zip(outputs, pair, strict=True):
            if _whole(key, value).shape != tokens.shape:
                raise Finding(f"{key} has shape {tuple(value.shape)}, expected {tuple(tokens.shape)}, that of tokens")
    return tokens, returned


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
    """Three calls: two with one generator, and one with another of the same seed. torch's own seed differs in each."""
    one, other = (torch.Generator().manual_seed(seed) for _ in range(2))
    found = []
    with torch.random.fork_rng(devices=[]):
        for number, generator in enumerate((one, one, other)):
            torch.manual_seed(number)
            returned = call(name, answer, [tokens.clone(), mask_id, p, generator], forbidden)
            found.append(tuple(named_outputs(name, returned, outputs).values()))
    return found


def _whole(key: str, value: object) -> Tensor:
    if require_tensor(key, value).dtype not in (torch.int64, torch.int32):
        dtype = str(value.dtype).removeprefix("torch.")
        raise Finding(f"{key} has dtype {dtype}, expected int64, whole numbers like those of tokens")
    return value


def _content(values: Tensor, where: Tensor, known: Mapping[str, Tensor | int]) -> str:
    if not where.any():
        return "(there is no such place)"
    return next((word for word, other in known.items() if bool((values == other)[where].all())), ELSE)
