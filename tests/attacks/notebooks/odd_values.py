# Returns NaN everywhere, generators, infinities and objects with hostile attributes.
# %% attack
import torch


class Hostile:
    def __getattribute__(self, name):
        raise SystemExit(name)


def endless():
    while True:
        yield 1


# %% attack answer scaled_dot_product_attention
scaled_dot_product_attention = lambda q, k, v, mask=None: (v.new_full((1,), float("nan")).expand(v.shape), v / 0)
# %% attack answer cross_attention
cross_attention = lambda *arguments: (endless(), endless())
# %% attack answer gram_attention
gram_attention = lambda X: Hostile()
# %% attack answer attention_matrix
attention_matrix = Hostile()
# %% attack answer not_additive
not_additive = (torch.full((2, 2), float("nan")), torch.full((2, 2), float("inf")))
# %% honest scaled_dot_product_attention
scaled_dot_product_attention = lambda q, k, v, mask=None: (v * 0, v * 0)
# %% honest cross_attention
cross_attention = lambda *arguments: ("", "")
# %% honest gram_attention
gram_attention = lambda X: ""
