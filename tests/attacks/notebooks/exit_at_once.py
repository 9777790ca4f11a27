# Ends its process at once, from a cell and from an answer.
# %% attack
import os

# %% attack answer gram_attention
def gram_attention(X):
    os._exit(0)


# %% attack answer column_attention
os._exit(0)
