# Asks the examiner, in the middle of a call, to call functions for it, with odd numbers and arguments.
# %% attack
from examinee.wire import pack


def answer(X):
    kernel = get_ipython().kernel
    for call in ({"number": -1, "arguments": [], "options": {}}, {"number": "__class__"}, [], 5, {"number": 1e300}):
        kernel._ask(pack(call, lambda value: None))
    return X


# %% attack answer gram_attention
gram_attention = answer
# %% honest gram_attention
gram_attention = lambda X: X
