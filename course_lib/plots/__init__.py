"""Pictures of the course: each function takes tensors or shapes and returns a Picture."""

from course_lib.plots.attention_map import attention_maps
from course_lib.plots.bias_map import bias_maps
from course_lib.plots.clock_hands import clock_hands
from course_lib.plots.curve import curves
from course_lib.plots.decoding_step import decoding_step
from course_lib.plots.diagrams.sheet_diagram import (
    cross_attention_diagram,
    decoder_block_diagram,
    matmul_diagram,
    multi_head_diagram,
)
from course_lib.plots.diagrams.transformer_overview import transformer_overview
from course_lib.plots.drawn_odds import drawn_odds
from course_lib.plots.encoding_map import encoding_maps
from course_lib.plots.error_bars import error_bars
from course_lib.plots.family_maps import family_maps
from course_lib.plots.grid_map import grid_maps
from course_lib.plots.head_cells import head_cells
from course_lib.plots.head_maps import head_maps
from course_lib.plots.heads_compared import heads_compared
from course_lib.plots.image_attention import image_attention
from course_lib.plots.image_row import image_row
from course_lib.plots.jacobian_map import jacobian_map
from course_lib.plots.mask_map import mask_maps
from course_lib.plots.masks_combined import masks_combined
from course_lib.plots.outer_table import outer_tables
from course_lib.plots.patch_attention import patch_attention
from course_lib.plots.patch_tokens import patch_tokens
from course_lib.plots.patch_view import patch_view
from course_lib.plots.picture import Picture
from course_lib.plots.positions_view import positions_view
from course_lib.plots.softmax_dial import softmax_dial
from course_lib.plots.vectors_and_weights import vectors_and_weights
from course_lib.plots.weight_bars import weight_bars
from course_lib.plots.yours_and_expected import yours_and_expected

__all__ = [
    "Picture",
    "attention_maps",
    "bias_maps",
    "clock_hands",
    "cross_attention_diagram",
    "curves",
    "decoder_block_diagram",
    "decoding_step",
    "drawn_odds",
    "encoding_maps",
    "error_bars",
    "family_maps",
    "grid_maps",
    "head_cells",
    "head_maps",
    "heads_compared",
    "image_attention",
    "image_row",
    "jacobian_map",
    "mask_maps",
    "masks_combined",
    "matmul_diagram",
    "multi_head_diagram",
    "outer_tables",
    "patch_attention",
    "patch_tokens",
    "patch_view",
    "positions_view",
    "softmax_dial",
    "transformer_overview",
    "vectors_and_weights",
    "weight_bars",
    "yours_and_expected",
]
