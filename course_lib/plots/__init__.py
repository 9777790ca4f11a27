"""Pictures of the course: each function takes tensors or shapes and returns a Picture."""

from course_lib.plots.attention_map import attention_maps
from course_lib.plots.cross_attention_diagram import cross_attention_diagram
from course_lib.plots.picture import Picture

__all__ = ["Picture", "attention_maps", "cross_attention_diagram"]
