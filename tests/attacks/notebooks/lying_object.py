# Hands in objects that equal everything, say they are tensors, strings and dicts, and have every attribute.
# %% attack
import torch


class Everything(dict):
    __class__ = property(lambda self: torch.Tensor)
    __eq__ = lambda self, other: True
    __ne__ = lambda self, other: False
    __hash__ = lambda self: 0
    __contains__ = lambda self, name: True
    __getitem__ = lambda self, name: self
    __getattr__ = lambda self, name: self
    __call__ = lambda self, *arguments: self
    __float__ = lambda self: 1.0
    __len__ = lambda self: 2
    __iter__ = lambda self: iter((self, self))


# %% attack answer cross_attention_shapes
cross_attention_shapes = Everything()
# %% attack answer query_key_value_roles
query_key_value_roles = Everything()
# %% attack answer gram_attention
gram_attention = lambda X: Everything()
# %% attack answer not_additive
not_additive = Everything()
# %% attack answer mixes_tokens
mixes_tokens = (Everything(), Everything(), Everything())
# %% attack answer cross_attention
cross_attention = Everything()
# %% honest gram_attention
gram_attention = lambda X: {}
