# Crashes the interpreter, in an answer.
# %% attack
import ctypes

# %% attack answer gram_attention
gram_attention = lambda X: ctypes.string_at(0)
