"""Patches there and back, the convolution in the linear map, and the ViT against PyTorch's encoder."""

import dataclasses

import pytest
import torch
import torch.nn.functional as F
from builders.torch_weights import assert_close, assert_same_gradients, carry_over
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from course_lib.models.patches import PatchEmbedding, patchify, to_convolution, unpatchify
from course_lib.models.vision_transformer import VisionTransformer, ViTConfig, interpolate_positions

CONFIG = ViTConfig(image_size=6, patch=2, in_channels=3, num_classes=5, d_model=12, num_heads=4, d_ff=16, num_layers=2)
size = st.integers(1, 4)


@given(st.integers(0, 3), size, size, size, size)
def test_patches_by_loop_and_back(batch, c, rows, columns, patch):
    images = torch.randn(batch, c, rows * patch, columns * patch)
    patches = patchify(images, patch)
    assert patches.shape == (batch, rows * columns, c * patch * patch)
    for r in range(rows):
        for s in range(columns):
            square = images[:, :, r * patch : (r + 1) * patch, s * patch : (s + 1) * patch]
            assert torch.equal(patches[:, r * columns + s], square.flatten(1))
    assert torch.equal(unpatchify(patches, patch, rows * patch, columns * patch), images)


def test_sizes_that_do_not_divide_are_refused():
    with pytest.raises(ValueError, match=r"6 × 7 image.*4 × 4"):
        patchify(torch.zeros(1, 1, 6, 7), 4)
    with pytest.raises(ValueError, match=r"6 × 9 image.*6 patches of c · 9 numbers, got 4 patches of 9"):
        unpatchify(torch.zeros(1, 4, 9), 3, 6, 9)
    with pytest.raises(ValueError, match=r"6 × 6 image.*4 × 4"):
        VisionTransformer(dataclasses.replace(CONFIG, patch=4))
    with pytest.raises(ValueError, match=r"\(batch, 3, 6, 6\), got \(1, 3, 8, 8\)"):
        VisionTransformer(CONFIG)(torch.zeros(1, 3, 8, 8))


@given(st.integers(1, 2), size, st.integers(1, 3), st.integers(1, 3), st.integers(1, 3))
def test_linear_and_convolution_forms_agree(batch, c, rows, columns, patch):
    embedding = PatchEmbedding(patch, c, 7).double()
    images = torch.randn(batch, c, rows * patch, columns * patch, dtype=torch.float64)
    conv = to_convolution(embedding)
    torch.testing.assert_close(embedding(images), conv(images).flatten(2).mT)
    assert conv.weight.data_ptr() != embedding.proj.weight.data_ptr()


def test_values_and_gradients_are_torchs(dtype):
    ours = VisionTransformer(CONFIG).to(dtype)
    layer = nn.TransformerEncoderLayer(12, 4, 16, dropout=0.0, batch_first=True, norm_first=True, dtype=dtype)
    theirs = nn.TransformerEncoder(layer, 2, norm=nn.LayerNorm(12, dtype=dtype), enable_nested_tensor=False)
    carry_over(ours.blocks, theirs.layers)
    carry_over(ours.norm, theirs.norm)
    images = torch.randn(3, 3, 6, 6, dtype=dtype)
    logits = ours(images)
    patches = F.conv2d(images, ours.embedding.proj.weight.reshape(12, 3, 2, 2), ours.embedding.proj.bias, stride=2)
    x = torch.cat([ours.class_token.expand(3, 1, 12), patches.flatten(2).mT], 1) + ours.positions
    wanted = F.linear(theirs(x.detach())[:, 0], ours.head.weight.detach(), ours.head.bias.detach())
    assert_close(logits, wanted)
    pull = torch.randn_like(wanted)
    (logits * pull).sum().backward()
    (wanted * pull).sum().backward()
    assert_same_gradients(ours.blocks, theirs.layers)
    assert_same_gradients(ours.norm, theirs.norm)
    assert ours.positions.grad[0].abs().amax(-1).gt(0).all()


def test_without_positions_the_order_of_patches_does_not_matter():
    model, images = VisionTransformer(CONFIG), torch.randn(2, 3, 6, 6)
    shuffled = unpatchify(patchify(images, 2)[:, torch.tensor([3, 1, 8, 0, 2, 4, 6, 5, 7])], 2, 6, 6)
    assert not torch.allclose(model(images), model(shuffled), atol=1e-4)
    with torch.no_grad():
        model.positions.zero_()
    torch.testing.assert_close(model(images), model(shuffled))


def test_images_of_a_batch_are_alone():
    model, images = VisionTransformer(CONFIG), torch.randn(3, 3, 6, 6)
    torch.testing.assert_close(model(images), torch.cat([model(image[None]) for image in images]))
    assert model(images[:0]).shape == (0, 5)
    one_patch = VisionTransformer(dataclasses.replace(CONFIG, patch=6, num_heads=1, d_model=5))
    assert one_patch(images[:1]).shape == (1, 5)


def test_interpolated_positions():
    pos = torch.randn(1, 7, 5)
    assert torch.equal(interpolate_positions(pos, (2, 3), (2, 3)), pos)
    got = interpolate_positions(pos, (2, 3), (4, 5))
    assert torch.equal(got[:, :1], pos[:, :1])
    for feature in range(5):
        grid = pos[0, 1:, feature].reshape(1, 1, 2, 3)
        wanted = F.interpolate(grid, size=(4, 5), mode="bicubic", align_corners=False)
        torch.testing.assert_close(got[0, 1:, feature].reshape(4, 5), wanted[0, 0])
    with pytest.raises(ValueError, match=r"2 × 2 = 5 positions.*got 7"):
        interpolate_positions(pos, (2, 2), (4, 4))
