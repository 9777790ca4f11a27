"""The patch embedding, as a linear layer and as a convolution."""

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from autograder.exam_types import ModuleCriterion, ModuleExam
from autograder.exam_types.draw import Draw
from autograder.exam_types.exam import Misconception
from autograder.exams.unit_08.patches import grid
from course_lib.models.patches import PatchEmbedding, patchify


def _images(draw: Draw) -> tuple[list[int], list[Tensor]]:
    rows, columns = grid(draw)
    return [2, 3, 7], [draw.normal(2, 3, 2 * rows, 2 * columns)]


def _grey(draw: Draw) -> tuple[list[int], list[Tensor]]:
    rows, columns = grid(draw)
    return [3, 1, 5], [draw.normal(2, 1, 3 * rows, 3 * columns)]


class _Embedding(nn.Module):
    """The embedding; each mistake and each style overrides its forward."""

    def __init__(self, patch, in_channels, d_model):
        super().__init__()
        self.patch = patch
        self.proj = nn.Linear(in_channels * patch * patch, d_model)

    def forward(self, images):
        return self.proj(patchify(images, self.patch))


class _ChannelsLast(_Embedding):
    def forward(self, images):
        tokens = patchify(images, self.patch).unflatten(-1, (-1, self.patch, self.patch))
        return self.proj(tokens.permute(0, 1, 3, 4, 2).flatten(2))


class _DownTheColumns(_Embedding):
    def forward(self, images):
        p = self.patch
        tokens = self.proj(patchify(images, p)).unflatten(1, (images.shape[2] // p, images.shape[3] // p))
        return tokens.transpose(1, 2).flatten(1, 2)


class _Strips(_Embedding):
    def forward(self, images):
        return self.proj(images.reshape(len(images), -1, self.proj.in_features))


class _Activated(_Embedding):
    def forward(self, images):
        return super().forward(images).relu()


class _Gelu(_Embedding):
    def forward(self, images):
        return F.gelu(super().forward(images))


class _ParametersDetached(_Embedding):
    def forward(self, images):
        return F.linear(patchify(images, self.patch), self.proj.weight.detach(), self.proj.bias)


class _TokensLast(_Embedding):
    def forward(self, images):
        return super().forward(images).transpose(1, 2)


class _WithoutBias(_Embedding):
    def __init__(self, patch, in_channels, d_model):
        super().__init__(patch, in_channels, d_model)
        self.proj = nn.Linear(in_channels * patch * patch, d_model, bias=False)


class _OneChannel(_Embedding):
    def __init__(self, patch, in_channels, d_model):
        super().__init__(patch, 1, d_model)


class _Convolution(_Embedding):
    """As in timm."""

    def __init__(self, patch, in_channels, d_model):
        super().__init__(patch, in_channels, d_model)
        self.proj = nn.Conv2d(in_channels, d_model, patch, stride=patch)

    def forward(self, images):
        return self.proj(images).flatten(2).transpose(1, 2)


class _CallsItOtherwise(nn.Module):
    def __init__(self, patch, in_channels, d_model):
        super().__init__()
        self.patch, self.projection = patch, nn.Linear(in_channels * patch * patch, d_model)

    def forward(self, images):
        return self.projection(patchify(images, self.patch))


class _Convolves(_Embedding):
    def forward(self, images):
        kernel = self.proj.weight.unflatten(-1, (-1, self.patch, self.patch))
        return F.conv2d(images, kernel, self.proj.bias, stride=self.patch).flatten(2).transpose(1, 2)


class _Unfolds(_Embedding):
    def forward(self, images):
        return self.proj(F.unfold(images, self.patch, stride=self.patch).mT)


class _Loops(_Embedding):
    def forward(self, images):
        return torch.stack([self.proj(token) for token in patchify(images, self.patch).unbind(1)], 1)


class _Multiplies(_Embedding):
    def forward(self, images):
        return patchify(images, self.patch) @ self.proj.weight.T + self.proj.bias


patch_embedding = ModuleExam(
    exercise="PatchEmbedding",
    covers=("D1.5a",),
    module=PatchEmbedding,
    outputs=("tokens",),
    parts=("proj",),
    criteria=(
        ModuleCriterion("every patch through the same linear map", 2, _images),
        ModuleCriterion("grey images and larger patches", 0.5, _grey),
        ModuleCriterion("gradients reach the images", 0.5, _images, "gradients", side=True),
    ),
    misconceptions=(
        Misconception(
            "channels-last",
            "Your patches are flattened as (p, p, C): use your patchify as it is.",
            _ChannelsLast,
            hint="the order of steps",
        ),
        Misconception(
            "down-the-columns",
            "Your tokens go down the columns of the grid: use your patchify as it is.",
            _DownTheColumns,
            hint="the order of steps",
        ),
        Misconception(
            "strips",
            "You reshape the image without cutting it, so a token is a strip of one row: use your patchify.",
            _Strips,
            hint="the order of steps",
        ),
        Misconception(
            "activated",
            "You apply a ReLU after the projection: it is one linear map and nothing else.",
            _Activated,
            hint="the order of steps",
        ),
        Misconception(
            "activated-gelu",
            "You apply a GELU after the projection: it is one linear map and nothing else.",
            _Gelu,
            hint="the order of steps",
        ),
        Misconception(
            "weight-detached",
            "No gradient reaches the weight of your proj, so it is never trained: is there a `detach` or a `.data`?",
            _ParametersDetached,
            hint="the order of steps",
        ),
        Misconception(
            "tokens-last",
            "Your tokens are columns: return (B, N, d_model), a row for each patch.",
            _TokensLast,
            hint="the order of steps",
        ),
        Misconception(
            "without-bias",
            "Your projection has no bias: nn.Linear has one unless you say otherwise.",
            _WithoutBias,
            hint="the width",
        ),
        Misconception(
            "one-channel",
            "Your projection is too narrow: a patch has in_channels · patch · patch numbers.",
            _OneChannel,
            hint="the width",
        ),
        Misconception(
            "convolution",
            "Your proj is an nn.Conv2d, as in timm and Hugging Face. Here it is an nn.Linear(C·p·p, d_model); the "
            "convolution comes in the next exercise.",
            _Convolution,
            hint="the width",
        ),
        Misconception(
            "calls-it-otherwise",
            "Call the linear layer self.proj: the grader gives it weights by this name.",
            _CallsItOtherwise,
        ),
    ),
    accepted=(_Convolves, _Unfolds, _Loops, _Multiplies),
)
