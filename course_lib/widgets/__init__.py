"""What notebooks have to move, fill in and answer: explorers, shape forms, practice quizzes and a progress panel.

Each shows itself as widgets to a person at a front end, as a plain picture or text to a reader, and not at all while
a submission is graded.
"""

from course_lib.widgets.explorers.attention import explore_attention
from course_lib.widgets.explorers.decoding import explore_decoding
from course_lib.widgets.explorers.heads import explore_heads
from course_lib.widgets.explorers.image_attention import explore_image_attention
from course_lib.widgets.explorers.masks import explore_masks
from course_lib.widgets.explorers.outer import explore_outer
from course_lib.widgets.explorers.patches import explore_patches
from course_lib.widgets.explorers.positions import explore_positions
from course_lib.widgets.explorers.sampling import explore_sampling
from course_lib.widgets.explorers.softmax import explore_softmax
from course_lib.widgets.progress_panel import progress
from course_lib.widgets.quiz import quiz
from course_lib.widgets.shape_form.form import shape_form

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
