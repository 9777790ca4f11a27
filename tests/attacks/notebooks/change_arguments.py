# Changes its arguments in place, waits, and returns them in the hope that they are compared with themselves.
# %% attack
import time

import torch


def zero_all(*arguments):
    for value in arguments:
        if isinstance(value, torch.Tensor):
            value.zero_()
    time.sleep(0.2)
    return arguments[0]


# %% attack answer gram_attention
gram_attention = zero_all
# %% attack answer attention_matrix
attention_matrix = zero_all
