# Reports made-up gradients and arguments that look untouched for an answer that is wrong.
# %% attack
import torch
from course_lib.checks.remote_task import TASKS

TASKS["call_and_differentiate"] = lambda name, answer, arguments, *rest: {
    key: torch.ones_like(value) for key, value in arguments.items() if value.is_floating_point()
}
TASKS["call"] = lambda name, answer, arguments, *rest: tuple(torch.ones(2, 2, dtype=a.dtype) for a in arguments[:2])
# %% attack answer scaled_dot_product_attention
scaled_dot_product_attention = lambda *given: None
# %% attack answer cross_attention
cross_attention = lambda *given: None
# %% attack answer column_attention
column_attention = lambda *given: None
# %% attack answer attention_matrix
attention_matrix = lambda *given: None
# %% honest scaled_dot_product_attention
scaled_dot_product_attention = lambda q, *given: (torch.ones(2, 2, dtype=q.dtype), torch.ones(2, 2, dtype=q.dtype))
# %% honest cross_attention
cross_attention = lambda *given: (torch.ones(2, 2), torch.ones(2, 2))
# %% honest column_attention
column_attention = lambda *given: torch.ones(2, 2)
# %% honest attention_matrix
attention_matrix = lambda *given: torch.ones(2, 2)
