"""What a function that loads the weights of nn.MultiheadAttention has made of the two modules it was given.

Each module travels as one plain tensor: the rows of W_q, W_k, W_v and W_o below each other, (4 d, d), with their
biases as one more column, (4 d, d + 1), where there are any.
"""

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor, nn

from course_lib.checks.finding import Finding
from course_lib.checks.remote_task import runs_in_student_process
from course_lib.checks.student_call import call, plain

PARTS = ("wq", "wk", "wv", "dense")
HEADS = 1  # the stored weights are the same for any number of heads


@runs_in_student_process
def loaded_weights(
    name: str,
    answer: object,
    arguments: Mapping[str, Tensor],
    outputs: Sequence[str],
    forbidden: Sequence[str] = (),
) -> dict:
    """The weights of both modules after answer(mha, torch_mha)."""
    mha, torch_mha = _call(name, answer, arguments, forbidden)
    return _linear_weights(mha) | _torch_weights(torch_mha)


@runs_in_student_process
def copied_weights(
    name: str,
    answer: object,
    arguments: Mapping[str, Tensor],
    outputs: Sequence[str],
    forbidden: Sequence[str] = (),
) -> dict:
    """Whether the weights of mha change when, after answer(mha, torch_mha), those of torch_mha do."""
    mha, torch_mha = _call(name, answer, arguments, forbidden)
    before = _linear_weights(mha)
    with torch.no_grad():
        for parameter in torch_mha.parameters():
            parameter += 1
    after = _linear_weights(mha)
    return {f"whether {key} changes when torch_mha does": not torch.equal(before[key], after[key]) for key in before}


def linear_parts(packed: Tensor) -> nn.Module:
    """A module with nothing but four nn.Linear parts, wq, wk, wv and dense."""
    d = packed.shape[0] // 4
    module = nn.Module()
    module.num_heads = HEADS
    for part, rows in zip(PARTS, packed.detach().chunk(4), strict=True):
        linear = nn.Linear(d, d)
        _fill(linear.weight, rows[:, :d])
        _fill(linear.bias, rows[:, d])
        setattr(module, part, linear)
    return module


def torch_module(packed: Tensor) -> nn.MultiheadAttention:
    """nn.MultiheadAttention with these weights; without a column of biases, it has none."""
    d = packed.shape[0] // 4
    bias = packed.shape[1] > d
    module = nn.MultiheadAttention(d, HEADS, bias=bias, batch_first=True)
    _fill(module.in_proj_weight, packed[: 3 * d, :d])
    _fill(module.out_proj.weight, packed[3 * d :, :d])
    if bias:
        _fill(module.in_proj_bias, packed[: 3 * d, d])
        _fill(module.out_proj.bias, packed[3 * d :, d])
    return module


def _call(
    name: str, answer: object, arguments: Mapping[str, Tensor], forbidden: Sequence[str]
) -> tuple[nn.Module, nn.MultiheadAttention]:
    mha, torch_mha = linear_parts(arguments["mha"]), torch_module(arguments["torch_mha"])
    call(name, answer, [mha, torch_mha], forbidden)
    return mha, torch_mha


def _linear_weights(module: nn.Module) -> dict[str, Tensor]:
    found = {}
    for part in PARTS:
        for kind in ("weight", "bias"):
            value = getattr(getattr(module, part, None), kind, None)
            if not isinstance(value, Tensor):
                raise Finding(f"mha.{part} has no {kind} any more: copy into the one it has, do not remove it")
            found[f"mha.{part}.{kind}"] = plain(value.detach().clone())
    return found


def _torch_weights(module: nn.MultiheadAttention) -> dict[str, Tensor]:
    return {f"torch_mha.{path}, after the call,": value.detach().clone() for path, value in module.named_parameters()}


def _fill(parameter: Tensor, values: Tensor) -> None:
    with torch.no_grad():
        parameter.copy_(values)
