# Leaves by SystemExit and KeyboardInterrupt, from a cell and from an answer.
# %% attack
import sys


def leave(*arguments):
    sys.exit(0)


def interrupt(*arguments):
    raise KeyboardInterrupt


# %% attack answer gram_attention
gram_attention = leave
# %% attack answer attention_matrix
attention_matrix = interrupt
# %% attack answer column_attention
sys.exit(0)
