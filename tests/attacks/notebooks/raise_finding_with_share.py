# Raises, from the answer, the exception of a failed criterion with a full share of the points.
# %% attack
from course_lib.checks import Finding


def answer(*arguments):
    raise Finding("full marks", share=1.0)


# %% attack answer scaled_dot_product_attention
scaled_dot_product_attention = answer
# %% attack answer cross_attention
cross_attention = answer
# %% attack answer column_attention
column_attention = answer
# %% attack answer gram_attention
gram_attention = answer
# %% attack answer attention_matrix
attention_matrix = answer
