"""Exams of unit 01, Shapes of cross-attention, in the order of the notebook."""

from autograder.exams.unit_01.attention import scaled_dot_product_attention
from autograder.exams.unit_01.columns import column_attention
from autograder.exams.unit_01.cross_attention import cross_attention
from autograder.exams.unit_01.matrix import attention_matrix
from autograder.exams.unit_01.shape_sheet import cross_attention_shapes, query_key_value_roles
from autograder.exams.unit_01.without_softmax import gram_attention, mixes_tokens, not_additive

EXAMS = (
    cross_attention_shapes,
    query_key_value_roles,
    scaled_dot_product_attention,
    cross_attention,
    column_attention,
    gram_attention,
    not_additive,
    mixes_tokens,
    attention_matrix,
)
