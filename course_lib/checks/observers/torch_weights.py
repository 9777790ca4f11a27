"""Two modules after a function has loaded the weights of one, nn.MultiheadAttention, into the other.

Each module is an argument as one tensor: the rows of W_q, W_k, W_v and W_o below each other, (4 d, d), with their
biases as one more column, (4 d, d + 1), where there are any.
"""

import torch
from torch import Tensor, nn

from course_lib.checks.finding import Finding
from course_lib.checks.observers.registry import observer
from course_lib.checks.question import Outputs, Question
from course_lib.checks.student_call import plain, require_tensor

PARTS = ("wq", "wk", "wv", "dense")
HEADS = 1  # the stored weights are the same for any number of heads


@observer("loaded weights", in_student_process=True)
def loaded_weights(question: Question) -> Outputs:
    """The weights of both modules after answer(mha, torch_mha)."""
    mha, torch_mha = _call(question)
    return {**_linear_weights(mha), **_torch_weights(torch_mha)}


@observer("copied weights", in_student_process=True)
def copied_weights(question: Question) -> Outputs:
    """Whether the weights of mha change when, after answer(mha, torch_mha), those of torch_mha do."""
    mha, torch_mha = _call(question)
    before = _linear_weights(mha)
    with torch.no_grad():
        for parameter in torch_mha.parameters():
            parameter.add_(1)
    after = _linear_weights(mha)
    return {f"whether {key} changes when torch_mha does": not torch.equal(before[key], after[key]) for key in before}


class LinearParts(nn.Module):
    """A module with nothing but num_heads and four nn.Linear parts, wq, wk, wv and dense."""

    def __init__(self, packed: Tensor):
        super().__init__()
        d = packed.shape[0] // 4
        self.num_heads = HEADS
        for part, rows in zip(PARTS, packed.detach().chunk(4), strict=True):
            linear = nn.Linear(d, d)
            _fill(linear.weight, rows[:, :d])
            _fill(linear.bias, rows[:, d])
            setattr(self, part, linear)


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


def _call(question: Question) -> tuple[LinearParts, nn.MultiheadAttention]:
    mha = LinearParts(question.argument("mha", Tensor))
    torch_mha = torch_module(question.argument("torch_mha", Tensor))
    question.call(mha, torch_mha)
    return mha, torch_mha


def _linear_weights(module: nn.Module) -> dict[str, Tensor]:
    weights = {}
    for part in PARTS:
        for kind in ("weight", "bias"):
            value = getattr(getattr(module, part, None), kind, None)
            if not isinstance(value, Tensor):
                raise Finding(f"mha.{part} has no {kind} any more", detail="copy into the one it has, do not remove it")
            weights[f"mha.{part}.{kind}"] = require_tensor(kind, plain(value.detach().clone()))
    return weights


def _torch_weights(module: nn.MultiheadAttention) -> dict[str, Tensor]:
    return {f"torch_mha.{path}, after the call,": value.detach().clone() for path, value in module.named_parameters()}


def _fill(parameter: Tensor, values: Tensor) -> None:
    with torch.no_grad():
        parameter.copy_(values)
