"""Exams of unit 00, Start here, in the order of the notebook."""

from autograder.exams.unit_00.first_quiz import original_transformer, why_positions, why_self_attention
from autograder.exams.unit_00.warm_up import batched_outer, matmul_shapes

EXAMS = (
    batched_outer,
    matmul_shapes,
    original_transformer,
    why_positions,
    why_self_attention,
)
