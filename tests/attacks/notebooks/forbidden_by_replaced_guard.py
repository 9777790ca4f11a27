# Replaces what watches the calls of answers, and calls a forbidden function.
# %% weak
# %% attack
import torch

from torch.nn.functional import scaled_dot_product_attention as attend
import contextlib

import course_lib.checks.forbidden.guard
import course_lib.checks.student_call

def helper(*given):
    return attend(*given)


nothing = lambda *given: contextlib.nullcontext()
course_lib.checks.student_call.forbidding = course_lib.checks.forbidden.guard.forbidding = nothing



def by(function, q, k, v, mask=None):
    """Output and weights: the weights are the output for values of ones and zeros."""
    visible = None if mask is None else ~mask
    values = torch.eye(k.shape[-2], dtype=v.dtype)
    return function(q, k, v, visible), function(q, k, values.expand(*k.shape[:-2], -1, -1), visible)


# %% attack answer scaled_dot_product_attention
scaled_dot_product_attention = lambda *given: by(helper, *given)
