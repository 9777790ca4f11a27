"""Taking the weights over from nn.MultiheadAttention."""

from collections.abc import Callable

import torch
from torch import Tensor, nn

from autograder.exam_types import CodeCriterion, CodeExam
from autograder.exam_types.draw import Draw
from autograder.exam_types.exam import Misconception
from autograder.exams.unit_04.heads import small_sizes
from course_lib.nn import multihead

LAYERS = ("wq", "wk", "wv", "dense")


def _packed(draw: Draw) -> list[Tensor]:
    d = small_sizes(draw)[0]
    return [draw.normal(4 * d, d + 1), draw.normal(4 * d, d + 1)]


def _without_bias(draw: Draw) -> list[Tensor]:
    mha, torch_mha = _packed(draw)
    return [mha, torch_mha[:, :-1].contiguous()]


def _flawed_load(
    mha, torch_mha, *, order=("wq", "wk", "wv"), transpose=False, bias=True, dense=True, share=False, absent="zero"
):
    def copy(linear, weight, shift):
        weight = weight.detach().T if transpose else weight.detach()
        linear.weight.data = weight if share else weight.clone()
        if shift is not None and bias:
            linear.bias.data = shift.detach() if share else shift.detach().clone()
        elif shift is None and absent == "zero":
            linear.bias.data = torch.zeros_like(linear.bias)

    shifts = [None] * 3 if torch_mha.in_proj_bias is None else torch_mha.in_proj_bias.chunk(3)
    for name, weight, shift in zip(order, torch_mha.in_proj_weight.chunk(3), shifts, strict=True):
        copy(getattr(mha, name), weight, shift)
    if dense == "weight":
        mha.dense.weight.data = torch_mha.out_proj.weight.detach().clone()
    elif dense:
        copy(mha.dense, torch_mha.out_proj.weight, torch_mha.out_proj.bias)


def _load_with(**slip: object) -> Callable:
    """Not a partial: every two slips at once would be too many to try on modules."""
    return lambda mha, torch_mha: _flawed_load(mha, torch_mha, **slip)


def _load_backwards(mha, torch_mha):
    with torch.no_grad():
        layers = (mha.wq, mha.wk, mha.wv)
        torch_mha.in_proj_weight.copy_(torch.cat([layer.weight for layer in layers]))
        torch_mha.out_proj.weight.copy_(mha.dense.weight)
        if torch_mha.in_proj_bias is not None:
            torch_mha.in_proj_bias.copy_(torch.cat([layer.bias for layer in layers]))
            torch_mha.out_proj.bias.copy_(mha.dense.bias)


def _load_by_state_dict(mha, torch_mha):
    state, d = torch_mha.state_dict(), torch_mha.embed_dim
    for j, layer in enumerate((mha.wq, mha.wk, mha.wv)):
        rows = slice(j * d, (j + 1) * d)
        bias = state["in_proj_bias"][rows] if "in_proj_bias" in state else torch.zeros(d)
        layer.load_state_dict({"weight": state["in_proj_weight"][rows], "bias": bias})
    bias = state.get("out_proj.bias", torch.zeros(d))
    mha.dense.load_state_dict({"weight": state["out_proj.weight"], "bias": bias})


@torch.no_grad()
def _load_by_copy(mha, torch_mha):
    layers = (mha.wq, mha.wk, mha.wv, mha.dense)
    for layer, weight in zip(layers, (*torch_mha.in_proj_weight.chunk(3), torch_mha.out_proj.weight), strict=True):
        layer.weight.copy_(weight)
        layer.bias.zero_()
    if torch_mha.in_proj_bias is not None:
        for layer, bias in zip(layers, (*torch_mha.in_proj_bias.chunk(3), torch_mha.out_proj.bias), strict=True):
            layer.bias += bias


def _load_new_parameters(mha, torch_mha):
    d = torch_mha.in_proj_weight.shape[1]
    biases = torch.zeros(3 * d) if torch_mha.in_proj_bias is None else torch_mha.in_proj_bias
    for name, weight, bias in zip(LAYERS, torch_mha.in_proj_weight.split(d), biases.split(d), strict=False):
        getattr(mha, name).weight = nn.Parameter(weight.detach().clone())
        getattr(mha, name).bias = nn.Parameter(bias.detach().clone())
    out = torch_mha.out_proj
    mha.dense.weight = nn.Parameter(out.weight.detach().clone())
    mha.dense.bias = nn.Parameter(torch.zeros(d) if out.bias is None else out.bias.detach().clone())


load_from_torch = CodeExam(
    exercise="load_from_torch",
    covers=("Bc2",),
    function=multihead.load_from_torch,
    outputs=("weights",),
    criteria=(
        CodeCriterion("every weight and bias is in its place", 2.5, _packed, "loaded weights"),
        CodeCriterion("a torch module without biases", 1, _without_bias, "loaded weights"),
        CodeCriterion("the weights are copies", 0.5, _packed, "copied weights", side=True),
    ),
    misconceptions=(
        Misconception(
            "thirds-another-order-torch-stacks",
            "Your thirds are in another order: torch stacks W_q, then W_k, then W_v.",
            _load_with(order=("wk", "wq", "wv")),
            hint="three thirds, and the rest",
        ),
        Misconception(
            "thirds-read-bottom-up-torch",
            "You take the thirds from the bottom up: torch stacks W_q, then W_k, then W_v.",
            _load_with(order=("wv", "wk", "wq")),
            hint="three thirds, and the rest",
        ),
        Misconception(
            "transpose",
            "You transpose the weights. torch's module and nn.Linear both store (out, in), so copy them as they are.",
            _load_with(transpose=True),
            hint="from where to where",
        ),
        Misconception(
            "no-bias",
            "You copy the weights but not the biases.",
            _load_with(bias=False),
            hint="three thirds, and the rest",
        ),
        Misconception(
            "no-dense",
            "You copy W_q, W_k and W_v but not the output projection. out_proj goes to dense.",
            _load_with(dense=False),
            hint="three thirds, and the rest",
        ),
        Misconception(
            "dense-weight",
            "You copy the weight of the output projection but not its bias. out_proj.bias goes to dense.bias.",
            _load_with(dense="weight"),
            hint="three thirds, and the rest",
        ),
        Misconception(
            "share",
            "Your weights share memory with torch's, so training one module changes the other. Copy the numbers.",
            _load_with(share=True),
            hint="copying",
        ),
        Misconception(
            "absent-kept",
            "Where torch's module has no biases yours keep their old values. Set them to zero.",
            _load_with(absent="kept"),
            hint="copying",
        ),
        Misconception(
            "load-backwards",
            "You copy from mha to torch_mha; expected from torch_mha to mha.",
            _load_backwards,
            hint="from where to where",
        ),
        Misconception(
            "function-leaves-mha",
            "Your function leaves mha as it was.",
            lambda mha, torch_mha: mha,
            hint="from where to where",
        ),
    ),
    accepted=(_flawed_load, _load_by_state_dict, _load_by_copy, _load_new_parameters),
)
