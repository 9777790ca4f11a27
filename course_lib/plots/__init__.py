"""Pictures of the course: each function takes tensors or shapes and returns a Picture."""

from course_lib.plots.attention_map import attention_maps
from course_lib.plots.bias_map import bias_maps
from course_lib.plots.clock_hands import clock_hands
from course_lib.plots.cross_attention_diagram import cross_attention_diagram
from course_lib.plots.curve import curves
from course_lib.plots.decoder_block_diagram import decoder_block_diagram
from course_lib.plots.encoding_map import encoding_maps
from course_lib.plots.head_maps import head_maps
from course_lib.plots.image_attention import image_attention
from course_lib.plots.mask_map import mask_maps
from course_lib.plots.picture import Picture
from course_lib.plots.yours_and_wanted import yours_and_wanted

__all__ = [
    "Picture",
    "attention_maps",
    "bias_maps",
    "clock_hands",
    "cross_attention_diagram",
    "curves",
    "decoder_block_diagram",
    "encoding_maps",
    "head_maps",
    "image_attention",
    "mask_maps",
    "yours_and_wanted",
]
