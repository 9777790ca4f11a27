"""One explorer for each unit, driven by the reference: for the pictures in docs, and to measure how fast they draw."""

from collections.abc import Callable
from functools import partial

import torch
import torch.nn.functional as F
from torch import Tensor

from course_lib import widgets
from course_lib.models.configs import TransformerConfig, ViTConfig
from course_lib.models.decoder_only import generate
from course_lib.models.decoding import greedy_decode
from course_lib.models.patches import patchify
from course_lib.models.transformer import Transformer
from course_lib.models.vision_transformer import VisionTransformer
from course_lib.nn.attention import scaled_dot_product_attention
from course_lib.nn.masks import combine_masks, create_look_ahead_mask, create_padding_mask, streaming_mask
from course_lib.nn.multihead import MultiHeadAttention
from course_lib.nn.outer import batched_outer
from course_lib.nn.positions import sinusoidal_encoding
from course_lib.nn.softmax import softmax
from course_lib.tasks.dates import SOURCE, TARGET, date_batches
from course_lib.tasks.digits import image_batches, load_images
from course_lib.tasks.vocabulary import EOS, PAD, SOS
from course_lib.training.attention_hooks import record_attention
from course_lib.training.loop import train, warm_up_and_down
from course_lib.training.objectives import shift_right, teacher_forcing_loss
from course_lib.widgets.explorers.base import Explorer

STEPS = 500


def gallery(steps: int = STEPS) -> dict[str, Callable[[], Explorer]]:
    """A way to make each explorer, by the number of its unit; models are trained for so many steps."""
    return {
        "00": partial(widgets.explore_outer, batched_outer),
        "01": partial(widgets.explore_attention, scaled_dot_product_attention),
        "02": partial(widgets.explore_softmax, softmax),
        "03": partial(widgets.explore_positions, sinusoidal_encoding),
        "04": partial(widgets.explore_heads, MultiHeadAttention),
        "05": partial(
            widgets.explore_masks, create_look_ahead_mask, create_padding_mask, combine_masks, streaming_mask
        ),
        "06": lambda: widgets.explore_decoding(_date_reader(steps)),
        "07": partial(widgets.explore_sampling, generate),
        "08": lambda: widgets.explore_image_attention(_digit_reader(min(steps, 300)), load_images()[1].images),
        "08_patches": lambda: widgets.explore_patches(patchify, load_images()[0].images),
    }


def _date_reader(steps: int) -> Callable[[str], tuple[str, Tensor]]:
    torch.manual_seed(0)
    model = Transformer(TransformerConfig(len(SOURCE), len(TARGET), 48, 4, 96, 1, 32, pad_id=PAD, norm_first=True))

    def loss_of(model: Transformer, batch: tuple[Tensor, Tensor]) -> Tensor:
        src, tgt = batch
        return teacher_forcing_loss(model(src, shift_right(tgt, SOS)), tgt, PAD)

    if steps:
        train(model, date_batches(steps, 64, seed=0), loss_of, warm_up_and_down(steps, 5e-3))

    def where_it_looks(written: str) -> tuple[str, Tensor]:
        source = SOURCE.batch([written])
        tokens = greedy_decode(model.eval(), source, SOS, EOS, 12)
        with record_attention(model) as record:
            model(source, shift_right(tokens, SOS))
        text = TARGET.decode(tokens[0].tolist())
        return text, record["decoder.0.cross_attention"][0].mean(0)[: len(text)]

    return where_it_looks


def _digit_reader(steps: int) -> VisionTransformer:
    torch.manual_seed(0)
    model = VisionTransformer(ViTConfig(8, 2, 1, 10, d_model=32, num_heads=4, d_ff=64, num_layers=2))
    if steps:
        batches = image_batches(load_images()[0], steps, 64, seed=0)
        train(
            model,
            batches,
            lambda model, some: F.cross_entropy(model(some.images), some.labels),
            warm_up_and_down(steps, 5e-3),
        )
    return model.eval()
