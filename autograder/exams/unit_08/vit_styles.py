"""Vision Transformers in five styles, all of them right."""

import torch
import torch.nn.functional as F
from torch import nn

from autograder.exams.unit_08.vit_mistakes import Flawed
from course_lib.models.patches import PatchEmbedding
from course_lib.nn.blocks import EncoderBlock


class WrittenOut(Flawed):
    """As most write it, with the mistakes' own right parent."""


class TorchNorm(Flawed):
    """nn.LayerNorm, and blocks in an nn.Sequential."""

    def __init__(self, config):
        super().__init__(config)
        self.blocks = nn.Sequential(*self.blocks)
        self.norm = nn.LayerNorm(config.d_model)
        self.drop = nn.Dropout(config.dropout)

    def tokens(self, patches, token):
        return self.drop(super().tokens(patches, token))

    def through(self, x):
        return self.blocks(x)


class InOneGo(nn.Module):
    """One expression; the class token repeated, its row read before the norm."""

    def __init__(self, config):
        super().__init__()
        d, n = config.d_model, (config.image_size // config.patch) * (config.image_size // config.patch)
        self.head = nn.Linear(d, config.num_classes)
        self.norm = nn.LayerNorm(d)
        self.blocks = nn.Sequential(
            *(EncoderBlock(d, config.num_heads, config.d_ff, norm_first=True) for _ in range(config.num_layers))
        )
        self.positions = nn.Parameter(0.02 * torch.randn(1, n + 1, d))
        self.class_token = nn.Parameter(0.02 * torch.randn(1, 1, d))
        self.embedding = PatchEmbedding(config.patch, config.in_channels, d)

    def forward(self, images):
        token = self.class_token.repeat(images.shape[0], 1, 1)
        x = self.blocks(torch.cat((token, self.embedding(images)), dim=1) + self.positions)
        return self.head(self.norm(x.select(1, 0)))


class PaddedInFront(Flawed):
    """An empty place in front, into which the class token is added."""

    def tokens(self, patches, token):
        x = F.pad(patches, (0, 0, 1, 0))
        return x + self.positions + F.pad(self.class_token, (0, 0, 0, patches.shape[1]))


class ImageByImage(Flawed):
    """Each image on its own; only the class token is normalised."""

    def forward(self, images):
        return torch.cat([super(ImageByImage, self).forward(image[None]) for image in images])

    def read(self, x):
        return self.head(self.norm(x[:, :1])).squeeze(1)
