"""Observers: each calls an answer and returns named outputs, which a case compares with the expected ones."""

from course_lib.checks.observers import (  # noqa: F401, each module registers its observers
    both_modes,
    cached_attention,
    encoder_decoder,
    gradients,
    greedy_decoding,
    handmade_heads,
    learning_rates,
    lora,
    masked_attention,
    patch_convolution,
    permutation_equivariance,
    positional_encodings,
    query_key_masks,
    return_values,
    sampling,
    scaled_query,
    sharpness,
    single_stack,
    teacher_forcing,
    token_ids,
    token_masking,
    token_reach,
    token_sequences,
    torch_weights,
    untouched_arguments,
)
from course_lib.checks.observers.registry import OBSERVERS

__all__ = ["OBSERVERS"]
