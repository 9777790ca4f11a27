"""What notebooks have to move, fill in and answer: explorers, shape forms, practice quizzes and a progress panel.

Each shows itself as widgets to a person at a front end, as a plain picture or text to a reader, and not at all while
a submission is graded.
"""

from course_lib.widgets.attention_explorer import explore_attention
from course_lib.widgets.decoding_explorer import explore_decoding
from course_lib.widgets.heads_explorer import explore_heads
from course_lib.widgets.image_attention_explorer import explore_image_attention
from course_lib.widgets.masks_explorer import explore_masks
from course_lib.widgets.outer_explorer import explore_outer
from course_lib.widgets.patches_explorer import explore_patches
from course_lib.widgets.positions_explorer import explore_positions
from course_lib.widgets.progress_panel import progress
from course_lib.widgets.quiz import quiz
from course_lib.widgets.sampling_explorer import explore_sampling
from course_lib.widgets.shape_form import shape_form
from course_lib.widgets.softmax_explorer import explore_softmax

__all__ = [
    "explore_attention",
    "explore_decoding",
    "explore_heads",
    "explore_image_attention",
    "explore_masks",
    "explore_outer",
    "explore_patches",
    "explore_positions",
    "explore_sampling",
    "explore_softmax",
    "progress",
    "quiz",
    "shape_form",
]
