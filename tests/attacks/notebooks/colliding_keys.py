# Answers with dicts whose keys all have the same hash, so that reading them takes the examiner minutes.
# %% attack
keys = [number * (2**61 - 1) for number in range(60_000)]
# %% attack answer gram_attention
gram_attention = lambda X: dict.fromkeys(keys)
# %% attack answer attention_matrix
attention_matrix = lambda X, w_q, w_k: set(keys)
