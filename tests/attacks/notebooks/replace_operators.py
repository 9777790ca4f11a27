# Makes comparison operators and any() of tensors, and those of Python, say what is wanted.
# %% weak
# %% attack
import builtins

import torch

torch.Tensor.__eq__ = lambda self, other: True
torch.Tensor.__ne__ = lambda self, other: torch.zeros(1, dtype=torch.bool)
torch.Tensor.any = lambda self, *arguments: torch.tensor(False)
builtins.any = lambda values: False
builtins.all = lambda values: True
