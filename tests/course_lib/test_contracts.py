"""The names and signatures that notebooks, checks and exams rely on."""

import dataclasses
import importlib
import inspect

import pytest

SIGNATURES = {
    "nn.outer.batched_outer": "a, b",
    "nn.attention.scaled_dot_product_attention": "q, k, v, mask=None",
    "nn.attention.cross_attention": "x_tgt, x_src, w_q, w_k, w_v",
    "nn.attention.column_attention": "Q, K, V, beta",
    "nn.attention.gram_attention": "X",
    "nn.attention.attention_matrix": "X, w_q, w_k",
    "nn.softmax.softmax": "x, dim",
    "nn.softmax.softmax_jacobian": "x",
    "nn.softmax.scaled_weights": "q, k",
    "nn.softmax.saturation": "a",
    "nn.softmax.softargmax": "x, beta, dim=-1",
    "nn.softmax.beta_for_sharpness": "scores, p",
    "nn.softmax.preserve": "values, keys, query, beta",
    "nn.softmax.dilute": "values, keys, query, beta",
    "nn.equivariance.is_permutation_equivariant": "f, x, perm",
    "nn.positions.sinusoidal_encoding": "max_len, d_model",
    "nn.positions.PositionalEncoding": "d_model, max_len=5000",
    "nn.positions.PositionalEncoding.forward": "self, x",
    "nn.positions.shift_matrix": "k, d_model",
    "nn.positions.LearnedPositions": "max_len, d_model",
    "nn.positions.relative_position_bias": "n, table",
    "nn.positions.rotate": "x, positions",
    "nn.multihead.split_heads": "x, num_heads",
    "nn.multihead.merge_heads": "x",
    "nn.multihead.MultiHeadAttention": "d_model, num_heads",
    "nn.multihead.MultiHeadAttention.forward": "self, q, k, v, mask=None",
    "nn.multihead.load_from_torch": "mha, torch_mha",
    "nn.multihead.parameter_count": "d_model, num_heads",
    "nn.handmade_heads.identity_head": "x",
    "nn.handmade_heads.shift_head": "x",
    "nn.handmade_heads.convolution_head": "x, kernel",
    "nn.masks.create_look_ahead_mask": "size",
    "nn.masks.create_padding_mask": "tokens, pad_id",
    "nn.masks.combine_masks": "*masks",
    "nn.masks.safe_masked_softmax": "scores, mask=None",
    "nn.masks.streaming_mask": "n, lookback",
    "nn.norm.LayerNorm": "d, eps=1e-05",
    "nn.feedforward.FeedForward": "d_model, d_ff, dropout=0.0",
    "nn.blocks.EncoderBlock": "d_model, num_heads, d_ff, dropout=0.0, norm_first=False",
    "nn.blocks.EncoderBlock.forward": "self, x, mask=None",
    "nn.blocks.DecoderBlock": "d_model, num_heads, d_ff, dropout=0.0, norm_first=False",
    "nn.blocks.DecoderBlock.forward": "self, x, memory, self_mask=None, memory_mask=None",
    "training.objectives.shift_right": "tokens, sos_id",
    "training.objectives.teacher_forcing_loss": "logits, targets, pad_id, label_smoothing=0.0",
    "training.objectives.noam_lr": "step, d_model, warmup",
    "models.transformer.TransformerConfig": (
        "src_vocab, tgt_vocab, d_model, num_heads, d_ff, num_layers, max_len, dropout=0.0, pad_id=0, norm_first=False"
    ),
    "models.transformer.Transformer": "config",
    "models.transformer.Transformer.forward": "self, src, tgt_in",
    "models.transformer.Transformer.encode": "self, src",
    "models.transformer.Transformer.source_mask": "self, src",
    "models.transformer.Transformer.decode": "self, tgt_in, memory, memory_mask=None",
    "models.decoding.greedy_decode": "model, src, sos_id, eos_id, max_len",
    "models.cached_decoding.cached_greedy_decode": "model, src, sos_id, eos_id, max_len",
    "models.encoder_only.EncoderOnly": "config",
    "models.encoder_only.mask_tokens": "tokens, mask_id, p, generator=None",
    "models.decoder_only.DecoderOnly": "config",
    "models.decoder_only.generate": "model, prompt, steps, temperature=1.0, top_k=None",
    "nn.lora.LoRALinear": "base, rank",
    "models.patches.patchify": "images, patch",
    "models.patches.unpatchify": "patches, patch, height, width",
    "models.patches.PatchEmbedding": "patch, in_channels, d_model",
    "models.patches.to_convolution": "embedding",
    "models.vision_transformer.ViTConfig": (
        "image_size, patch, in_channels, num_classes, d_model, num_heads, d_ff, num_layers, dropout=0.0"
    ),
    "models.vision_transformer.VisionTransformer": "config",
    "models.vision_transformer.interpolate_positions": "pos, old_grid, new_grid",
}


def find(path: str):
    parts = path.split(".")
    for end in range(len(parts) - 1, 0, -1):
        try:
            found = importlib.import_module("course_lib." + ".".join(parts[:end]))
        except ModuleNotFoundError:
            continue
        for name in parts[end:]:
            found = getattr(found, name)
        return found
    raise AssertionError(f"there is no {path}")


@pytest.mark.parametrize("path", SIGNATURES)
def test_signature(path):
    found = find(path)
    parameters = [p.replace(annotation=p.empty) for p in inspect.signature(found).parameters.values()]
    promised = SIGNATURES[path].split(", ")
    assert [str(p) for p in parameters[: len(promised)]] == promised
    assert all(p.default is not p.empty for p in parameters[len(promised) :]), "more only with a default"
    assert inspect.getdoc(found)


@pytest.mark.parametrize("path", [path for path in SIGNATURES if path.endswith("Config")])
def test_configurations_are_frozen(path):
    assert dataclasses.fields(find(path))
    assert find(path).__dataclass_params__.frozen
