# Returns tensors whose class answers every torch function with True, and claims the right shape.
# %% attack
import torch


class Liar(torch.Tensor):
    @classmethod
    def __torch_function__(cls, function, types, arguments=(), options=None):
        return True

    shape = property(lambda self: self)
    __eq__ = lambda self, other: True
    __ne__ = lambda self, other: False


# %% attack answer gram_attention
gram_attention = lambda X: torch.zeros(1).as_subclass(Liar)
# %% attack answer attention_matrix
attention_matrix = lambda X, w_q, w_k: torch.zeros(1).as_subclass(Liar)
# %% attack answer column_attention
column_attention = lambda Q, K, V, beta: torch.zeros(1).as_subclass(Liar)
# %% honest gram_attention
gram_attention = lambda X: torch.zeros(1)
# %% honest attention_matrix
attention_matrix = lambda X, w_q, w_k: torch.zeros(1)
# %% honest column_attention
column_attention = lambda Q, K, V, beta: torch.zeros(1)
