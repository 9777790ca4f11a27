"""What a function that turns a patch embedding into a convolution has made of it.

An embedding travels as one plain tensor, (d_model, c + 1, patch, patch): its kernel, and a channel more that holds the
bias in its first entry.
"""

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor, nn

from course_lib.checks.finding import Finding
from course_lib.checks.remote_task import runs_in_student_process
from course_lib.checks.student_call import call, plain

GRID = (2, 3)  # how many patches the image has on which the convolution is tried


@runs_in_student_process
def convolution_made(
    name: str,
    answer: object,
    arguments: Mapping[str, Tensor],
    outputs: Sequence[str],
    forbidden: Sequence[str] = (),
) -> dict:
    """What the convolution makes of an image."""
    _, convolution = _call(name, answer, arguments["embedding"], forbidden)
    _, channels, patch, _ = arguments["embedding"].shape
    size = (2, channels - 1, GRID[0] * patch, GRID[1] * patch)
    image = torch.cos(torch.arange(torch.Size(size).numel()) * 0.7).reshape(size)
    with torch.no_grad():
        return {"convolution(images)": plain(call(name, convolution, [image]))}


@runs_in_student_process
def parameters_after_converting(
    name: str,
    answer: object,
    arguments: Mapping[str, Tensor],
    outputs: Sequence[str],
    forbidden: Sequence[str] = (),
) -> dict:
    """The sizes of what is returned, and the embedding's weights after the call."""
    embedding, convolution = _call(name, answer, arguments["embedding"], forbidden)
    return {
        "the shape of convolution.weight": str(tuple(convolution.weight.shape)),
        "whether convolution.weight is trained": bool(convolution.weight.requires_grad),
        "embedding.proj.weight, after the call,": plain(embedding.proj.weight.detach().clone()),
        "embedding.proj.bias, after the call,": plain(embedding.proj.bias.detach().clone()),
    }


def embedding_of(packed: Tensor) -> nn.Module:
    """A module with nothing but a `patch` and an nn.Linear called proj."""
    d_model, channels, patch, _ = packed.shape
    module = nn.Module()
    module.patch = patch
    module.proj = nn.Linear((channels - 1) * patch * patch, d_model)
    with torch.no_grad():
        module.proj.weight.copy_(packed[:, :-1].flatten(1))
        module.proj.bias.copy_(packed[:, -1, 0, 0])
    return module


def _call(name: str, answer: object, packed: Tensor, forbidden: Sequence[str]) -> tuple[nn.Module, nn.Conv2d]:
    embedding = embedding_of(packed)
    convolution = call(name, answer, [embedding], forbidden)
    if not isinstance(convolution, nn.Conv2d):
        made = "nothing" if convolution is None else f"a {type(convolution).__name__}"
        raise Finding(f"{name} returned {made}, expected an nn.Conv2d: make one, fill it and return it")
    return embedding, convolution
