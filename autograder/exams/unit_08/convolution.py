"""A patch embedding carried over into a convolution."""

import torch
from torch import Tensor, nn

from autograder.exam_types import CodeCriterion, CodeExam
from autograder.exam_types.draw import Draw
from autograder.exam_types.exam import Misconception
from course_lib.models import patches


def _packed(draw: Draw) -> list[Tensor]:
    """An embedding of 3 channels and patches of 2 × 2, as course_lib.checks.observers.patch_convolution reads it."""
    return [draw.normal(5, 4, 2, 2)]


def _one_channel(draw: Draw) -> list[Tensor]:
    return [draw.normal(4, 2, 3, 3)]


def _flawed(embedding, *, order="cpp", bias=True, stride=True, weights=True, flip=False):
    weight, patch = embedding.proj.weight.detach(), embedding.patch
    channels = weight.shape[1] // patch**2
    conv = nn.Conv2d(channels, len(weight), patch, stride=patch if stride else 1)
    if order == "cpp":
        kernel = weight.reshape(-1, channels, patch, patch)
    elif order == "ppc":
        kernel = weight.reshape(-1, patch, patch, channels).permute(0, 3, 1, 2)
    else:
        kernel = weight.reshape(-1, channels, patch, patch).mT
    with torch.no_grad():
        if weights:
            conv.weight.copy_(kernel.flip(-1, -2) if flip else kernel)
        conv.bias.copy_(embedding.proj.bias if bias else torch.zeros(len(weight)))
    return conv


def _with(**slip):
    """Not a partial: every two slips at once would be many to try."""
    return lambda embedding: _flawed(embedding, **slip)


def _shares_both(embedding):
    conv = _flawed(embedding)
    conv.weight.data = embedding.proj.weight.data.view(conv.weight.shape)
    conv.bias = embedding.proj.bias
    return conv


def _shares_weight(embedding):
    conv = _flawed(embedding)
    conv.weight.data = embedding.proj.weight.data.view(conv.weight.shape)
    return conv


def _shares_bias(embedding):
    conv = _flawed(embedding)
    conv.bias = embedding.proj.bias
    return conv


def _frozen(embedding):
    return _flawed(embedding).requires_grad_(False)


def _not_a_leaf(embedding):
    conv = _flawed(embedding).requires_grad_(False)
    conv.weight.copy_(embedding.proj.weight.reshape(conv.weight.shape))
    conv.bias.copy_(embedding.proj.bias)
    return conv


def _without_bias(embedding):
    conv = _flawed(embedding)
    conv.bias = None
    return conv


def _zeroes_the_embedding(embedding):
    conv = _flawed(embedding)
    with torch.no_grad():
        embedding.proj.weight.zero_()
    return conv


def _not_copied(embedding):
    linear, p = embedding.proj, embedding.patch
    return nn.Conv2d(linear.in_features // (p * p), linear.out_features, kernel_size=p, stride=p)


def _transposed(embedding):
    conv = _not_copied(embedding)
    with torch.no_grad():
        conv.weight.copy_(embedding.proj.weight.T.reshape(conv.weight.shape))
        conv.bias.copy_(embedding.proj.bias)
    return conv


def _freezes_the_embedding(embedding):
    conv = _flawed(embedding)
    embedding.proj.requires_grad_(False)
    return conv


def _padded(embedding):
    conv = _flawed(embedding)
    conv.padding = (1, 1)
    return conv


def _from_scratch(embedding):
    linear, p = embedding.proj, embedding.patch
    conv = nn.Conv2d(linear.in_features // (p * p), linear.out_features, kernel_size=p, stride=p)
    conv.weight = nn.Parameter(linear.weight.detach().clone().view(conv.weight.shape))
    conv.bias = nn.Parameter(linear.bias.detach().clone())
    return conv


def _by_state(embedding):
    p, state = embedding.patch, embedding.proj.state_dict()
    kernel = state["weight"].unflatten(1, (-1, p, p))
    conv = nn.Conv2d(kernel.shape[1], kernel.shape[0], (p, p), (p, p))
    conv.load_state_dict({"weight": kernel, "bias": state["bias"]})
    return conv


def _by_data(embedding):
    p = embedding.patch
    d_model, size = embedding.proj.weight.shape
    conv = nn.Conv2d(size // p // p, d_model, p, p)
    conv.weight.data = embedding.proj.weight.data.reshape(d_model, -1, p, p).clone()
    conv.bias.data = embedding.proj.bias.data.clone()
    return conv


@torch.no_grad()
def _entry_by_entry(embedding):
    p = embedding.patch
    conv = nn.Conv2d(embedding.proj.in_features // p**2, embedding.proj.out_features, p, stride=p)
    for c in range(conv.in_channels):
        for i in range(p):
            for j in range(p):
                conv.weight[:, c, i, j] = embedding.proj.weight[:, c * p * p + i * p + j]
    conv.bias[:] = embedding.proj.bias
    return conv


SHARED = (
    "Your convolution shares its parameters with the embedding, so training one changes the other: copy the numbers, "
    "as copy_ or clone() does."
)
NO_BIAS = "You copy the weight but not the bias."

to_convolution = CodeExam(
    exercise="to_convolution",
    covers=("D1.5a",),
    function=patches.to_convolution,
    outputs=("convolution",),
    criteria=(
        CodeCriterion("the same numbers", 1.5, _packed, "convolution output"),
        CodeCriterion("one channel, other patches", 0.5, _one_channel, "convolution output"),
        CodeCriterion("a convolution of its own, which can be trained", 0.5, _packed, "convolution trained"),
        CodeCriterion("the embedding is left as it was", 0.5, _packed, "embedding after converting", True, side=True),
    ),
    misconceptions=(
        Misconception(
            "order-ppc",
            "You unflatten the kernel as (p, p, C): patches are flattened as (C, p, p), and so is the kernel.",
            _with(order="ppc"),
            hint="what to do with the weight",
        ),
        Misconception(
            "order-cqp",
            "Your kernel is transposed within each channel: reshape it and do nothing else.",
            _with(order="cqp"),
            hint="what to do with the weight",
        ),
        Misconception(
            "flip",
            "Your kernel is flipped: PyTorch's convolution doesn't flip it, so don't flip it either.",
            _with(flip=True),
            hint="what to do with the weight",
        ),
        Misconception(
            "no-stride",
            "Your convolution moves by one pixel, so its windows overlap: set stride to the patch.",
            _with(stride=False),
            hint="which convolution",
        ),
        Misconception("no-bias", NO_BIAS, _with(bias=False), hint="nearly there"),
        Misconception("no-bias", NO_BIAS, _without_bias, hint="nearly there"),
        *(
            Misconception("shared", SHARED, shared, hint="nearly there")
            for shared in (_shares_both, _shares_weight, _shares_bias)
        ),
        Misconception(
            "frozen",
            "Your convolution can't be trained: its parameters don't require gradients.",
            _frozen,
            hint="nearly there",
        ),
        Misconception(
            "not-a-leaf",
            "No optimizer accepts your convolution's parameters, because the copy was recorded for gradients: copy "
            "under torch.no_grad().",
            _not_a_leaf,
            hint="nearly there",
        ),
        Misconception(
            "transposed-weight",
            "You transpose the weight of proj before you reshape it, which mixes its rows: each row is the kernel "
            "of one output channel.",
            _transposed,
            hint="what to do with the weight",
        ),
        Misconception(
            "freezes-the-embedding",
            "You freeze the embedding: leave it as it was, also in whether it is trained.",
            _freezes_the_embedding,
            hint="nearly there",
        ),
        Misconception(
            "padded",
            "Your convolution is padded: patches don't reach beyond the image.",
            _padded,
            hint="which convolution",
        ),
        Misconception(
            "zeroes-the-embedding",
            "You change the embedding's own parameters: copy them and leave the embedding alone.",
            _zeroes_the_embedding,
            hint="nearly there",
        ),
    ),
    accepted=(_from_scratch, _by_state, _by_data, _entry_by_entry),
)
