"""Notebooks released by version 0.1 import what they need by the paths of then."""

from importlib import import_module

import pytest

from course_lib.former_paths import FORMER

# every import from course_lib in the notebooks of version 0.1
NAMES = {
    "course_lib": ["plots"],
    "course_lib.attention": ["scaled_dot_product_attention"],
    "course_lib.attention_record": ["record_attention"],
    "course_lib.blocks": ["DecoderBlock", "EncoderBlock"],
    "course_lib.checks": ["CheckFailed", "check"],
    "course_lib.environment": ["look_around"],
    "course_lib.language_model_config": ["LanguageModelConfig"],
    "course_lib.masks": ["create_look_ahead_mask", "create_padding_mask"],
    "course_lib.models.transformer": ["Transformer", "TransformerConfig"],
    "course_lib.multihead": ["MultiHeadAttention", "load_from_torch"],
    "course_lib.norm": ["LayerNorm"],
    "course_lib.own_parts": ["carry_over", "gather_parts", "show_parts"],
    "course_lib.position_probe": ["accuracy", "train_probe"],
    "course_lib.positions": ["LearnedPositions", "PositionalEncoding"],
    "course_lib.summary_sheet": ["write_summary"],
    "course_lib.tasks.corpus": ["VOCABULARY", "all_windows", "load_corpus", "unigram_entropy", "windows"],
    "course_lib.tasks.dates": ["SOURCE", "TARGET", "date_batches", "draw_dates", "encode_pairs", "exact_match"],
    "course_lib.tasks.digits": ["Images", "image_batches", "load_images"],
    "course_lib.tasks.toy_sequences": ["both_neighbours", "reversed_copies"],
    "course_lib.tasks.vocabulary": ["EOS", "MASK", "PAD", "SOS"],
    "course_lib.toy_words": ["embed"],
    "course_lib.training": ["shift_right"],
    "course_lib.training_loop": ["ProgressBar", "train", "warm_up_and_down"],
    "course_lib.training_view": ["LiveCurve"],
    "course_lib.transformer_config": ["TransformerConfig"],
    "course_lib.vit_config": ["ViTConfig"],
    "course_lib.widgets": [
        *("explore_attention", "explore_decoding", "explore_heads", "explore_image_attention", "explore_masks"),
        *("explore_outer", "explore_patches", "explore_positions", "explore_sampling", "explore_softmax"),
        *("progress", "quiz", "shape_form"),
    ],
}


@pytest.mark.parametrize("path", NAMES)
def test_what_notebooks_of_version_0_1_import_is_there(path):
    for name in NAMES[path]:
        exec(f"from {path} import {name}", {})


@pytest.mark.parametrize("former", FORMER)
def test_a_former_path_gives_the_object_of_the_new_one(former):
    for name in NAMES[former]:
        assert getattr(import_module(former), name) is getattr(import_module(FORMER[former]), name)


def test_a_name_that_never_was_is_an_error():
    with pytest.raises(ImportError, match="no_such_name"):
        exec("from course_lib.attention import no_such_name", {})
