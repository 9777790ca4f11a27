"""Nothing is tied to the CPU or to float32.

PyTorch's meta device computes shapes only and refuses to meet a tensor of another device, so a constant that
was made on the CPU by mistake shows there, without a graphics card.
"""

import pytest
import torch

from course_lib.models.configs import LanguageModelConfig
from course_lib.models.decoder_only import DecoderOnly
from course_lib.models.encoder_only import EncoderOnly, mask_tokens
from course_lib.models.patches import to_convolution
from course_lib.models.transformer import Transformer, TransformerConfig
from course_lib.models.vision_transformer import VisionTransformer, ViTConfig, interpolate_positions
from course_lib.nn import handmade_heads, masks, positions, softmax
from course_lib.nn.blocks import DecoderBlock, EncoderBlock
from course_lib.nn.lora import LoRALinear
from course_lib.training.objectives import shift_right, teacher_forcing_loss

LANGUAGE = LanguageModelConfig(11, 12, 3, 16, 2, 9, pad_id=0)


def on(device, dtype, *shape):
    return torch.zeros(shape, device=device, dtype=dtype)


def tokens_on(device, *shape):
    return torch.ones(shape, device=device, dtype=torch.long)


COMPUTATIONS = {
    "encoder block": lambda dev, dt: EncoderBlock(12, 3, 16).to(dev, dt)(on(dev, dt, 2, 5, 12)),
    "decoder block": lambda dev, dt: DecoderBlock(12, 3, 16).to(dev, dt)(
        on(dev, dt, 2, 5, 12), on(dev, dt, 2, 4, 12), masks.create_look_ahead_mask(5, dev)
    ),
    "transformer": lambda dev, dt: Transformer(TransformerConfig(11, 13, 12, 3, 16, 2, 9)).to(dev, dt)(
        tokens_on(dev, 2, 5), shift_right(tokens_on(dev, 2, 4), 1)
    ),
    "encoder-only": lambda dev, dt: EncoderOnly(LANGUAGE).to(dev, dt)(mask_tokens(tokens_on(dev, 2, 5), 3, 0.5)[0]),
    "decoder-only": lambda dev, dt: DecoderOnly(LANGUAGE).to(dev, dt)(tokens_on(dev, 2, 5)),
    "vision": lambda dev, dt: VisionTransformer(ViTConfig(6, 2, 3, 5, 12, 3, 16, 2)).to(dev, dt)(
        on(dev, dt, 2, 3, 6, 6)
    ),
    "patches by convolution": lambda dev, dt: to_convolution(
        VisionTransformer(ViTConfig(6, 2, 3, 5, 12, 3, 16, 2)).to(dev, dt).embedding
    )(on(dev, dt, 2, 3, 6, 6)),
    "interpolated positions": lambda dev, dt: interpolate_positions(on(dev, dt, 1, 7, 4), (2, 3), (4, 5)),
    "learned positions": lambda dev, dt: positions.LearnedPositions(9, 4).to(dev, dt)(on(dev, dt, 2, 5, 4)),
    "rotary positions": lambda dev, dt: positions.rotate(on(dev, dt, 2, 5, 4), torch.arange(5, device=dev)),
    "relative positions": lambda dev, dt: positions.relative_position_bias(4, on(dev, dt, 2, 5)),
    "softmax": lambda dev, dt: softmax.softmax(on(dev, dt, 2, 5), -1),
    "jacobian": lambda dev, dt: softmax.softmax_jacobian(on(dev, dt, 5)),
    "masked softmax": lambda dev, dt: masks.safe_masked_softmax(
        on(dev, dt, 1, 1, 5, 5),
        masks.combine_masks(masks.streaming_mask(5, 2, dev), masks.create_padding_mask(tokens_on(dev, 1, 5), 0)),
    ),
    "convolution by heads": lambda dev, dt: torch.cat(
        [part.flatten() for part in handmade_heads.convolution_head(on(dev, dt, 2, 5, 4), on(dev, dt, 6, 4, 3))[0]]
    ),
    "LoRA": lambda dev, dt: LoRALinear(torch.nn.Linear(4, 5, device=dev, dtype=dt), 2)(on(dev, dt, 3, 4)),
    "loss": lambda dev, dt: teacher_forcing_loss(on(dev, dt, 2, 4, 7), tokens_on(dev, 2, 4), 0),
}


@pytest.mark.parametrize("name", COMPUTATIONS)
def test_results_stay_on_the_device_and_keep_the_dtype(name, dtype):
    result = COMPUTATIONS[name]("meta", dtype)
    assert result.device.type == "meta"
    assert result.dtype == dtype


@pytest.mark.parametrize("name", COMPUTATIONS)
def test_half_precision_stays_half_and_finite(name):
    result = COMPUTATIONS[name]("cpu", torch.bfloat16)
    assert result.dtype == torch.bfloat16
    assert result.isfinite().all()


def test_the_meta_device_would_catch_a_constant_left_on_the_cpu():
    with pytest.raises(RuntimeError, match="device"):
        torch.zeros(3, device="meta") + torch.zeros(3)
