# Executes the file of a forbidden class anew, and takes attention weights from the class that this makes.
# %% weak
# %% attack
import importlib.util

import torch
import torch.nn.modules.activation as known

spec = importlib.util.spec_from_file_location("fresh", known.__file__)
fresh = importlib.util.module_from_spec(spec)
fresh.__package__ = "torch.nn.modules"
spec.loader.exec_module(fresh)


def weights_of(q, k, mask):
    n_q, n_k, d = q.shape[-2], k.shape[-2], q.shape[-1]
    queries, keys = q.reshape(-1, n_q, d), k.reshape(-1, n_k, d)
    hidden = None if mask is None else mask.expand(*q.shape[:-1], n_k).reshape(-1, n_q, n_k)
    one = torch.eye(d, dtype=q.dtype)
    heads = vars(fresh)["Multihead" + "Attention"](d, 1, bias=False, batch_first=True, dtype=q.dtype)
    heads.load_state_dict({"in_proj_weight": torch.cat([one, one, one]), "out_proj.weight": one})
    return heads(queries, keys, keys, attn_mask=hidden)[1].reshape(*q.shape[:-1], n_k)


# %% attack answer scaled_dot_product_attention
def scaled_dot_product_attention(q, k, v, mask=None):
    weights = weights_of(q, k, mask)
    return weights @ v, weights
