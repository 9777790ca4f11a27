# Hands in answers that are too large: 10¹² elements by expand, 100 MB of text, a million keys, endless nesting, a cycle.
# %% attack
import torch

cycle = []
cycle.append(cycle)
nested = ()
for _ in range(100_000):
    nested = (nested,)

# %% attack answer cross_attention_shapes
cross_attention_shapes = {number: "d" for number in range(1_000_000)}
# %% attack answer query_key_value_roles
query_key_value_roles = "B" * 100_000_000
# %% attack answer gram_attention
gram_attention = lambda X: torch.zeros(1).expand(10**6, 10**6)
# %% attack answer attention_matrix
attention_matrix = lambda X, w_q, w_k: cycle
# %% attack answer column_attention
column_attention = lambda Q, K, V, beta: nested
# %% attack answer cross_attention
cross_attention = lambda *arguments: (torch.zeros(10**8), "x" * 10**8)
