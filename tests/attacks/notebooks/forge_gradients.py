# Reports made-up gradients and arguments that look untouched for an answer that is wrong.
# %% weak
# %% attack
import torch
from course_lib.checks.elsewhere import TASKS

TASKS["call_and_differentiate"] = lambda name, answer, arguments, *rest: {
    key: torch.ones_like(value) for key, value in arguments.items() if value.is_floating_point()
}
TASKS["call"] = lambda name, answer, arguments, *rest: tuple(torch.ones(2, 2, dtype=a.dtype) for a in arguments[:2])
