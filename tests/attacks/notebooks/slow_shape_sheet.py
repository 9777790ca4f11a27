# Fills in the shape sheet with text that takes the examiner hours to read: spaces, and products of huge numbers.
# %% attack answer cross_attention_shapes
spaces, product = " " * 300_000 + "x", "*".join(["9" * 4_000, "/7" * 500] * 100).replace("*/", "/")
cross_attention_shapes = {"W_q": spaces, "W_k": spaces, "W_v": spaces, "Q": product, "K": product, "scores": product}
