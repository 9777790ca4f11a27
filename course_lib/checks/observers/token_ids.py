"""What a function of token ids returns, when it may draw random numbers."""

from collections.abc import Sequence

import torch
from torch import Tensor

from course_lib.checks.finding import Finding
from course_lib.checks.observers.registry import observer
from course_lib.checks.question import Outputs, Question
from course_lib.checks.remote_task import runs_in_student_process
from course_lib.checks.student_call import call, named_outputs, require_tensor

SEEDS = 4  # calls that must agree: each draws other random numbers


@observer("token ids")
def token_ids(question: Question) -> Outputs:
    """The outputs, which must be integers and leave nothing to chance.

    They are converted to floats, so that misconceptions can be told apart. Of what is random, only that is said.
    """
    calls = [_tokens(question, seed) for seed in range(SEEDS)]
    for name, first in calls[0].items():
        if any(not torch.equal(call[name], first) for call in calls):
            raise Finding("differs from call to call", "the same tokens at each call", where=name)
    return {**calls[0]}


def _tokens(question: Question, seed: int) -> dict[str, torch.Tensor]:
    copies = list(question.copies().values())
    returned = call_with_seed(question.exercise, question.answer, copies, question.forbidden, seed)
    outputs = named_outputs(question.exercise, returned, question.outputs)
    return {key: require_integers(key, value).double() for key, value in outputs.items()}


@runs_in_student_process
def call_with_seed(
    name: str, answer: object, arguments: Sequence[object], forbidden: Sequence[str] = (), seed: int = 0
) -> object:
    """What a call returns when torch's global generator starts from this seed, so that a verdict can be repeated."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return call(name, answer, arguments, forbidden)


def require_integers(key: str, value: object) -> Tensor:
    tokens = require_tensor(key, value)
    if tokens.dtype not in (torch.int64, torch.int32):
        dtype = str(tokens.dtype).removeprefix("torch.")
        raise Finding(f"has dtype {dtype}", "int64, whole numbers like those of tokens", where=key)
    return tokens
