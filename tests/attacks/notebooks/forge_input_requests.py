# Asks the examiner, in the middle of a call, to call functions for it, with odd numbers and arguments.
# %% attack
import gc

from sandbox.inside.main_loop import MainLoop
from sandbox.protocol.encode import pack

main_loop = next(thing for thing in gc.get_objects() if isinstance(thing, MainLoop))


def answer(X):
    for call in ({"number": -1, "arguments": [], "options": {}}, {"number": "__class__"}, [], 5, {"number": 1e300}):
        main_loop._ask_examiner(pack(call, lambda value: None))
    return X


# %% attack answer gram_attention
gram_attention = answer
# %% honest gram_attention
gram_attention = lambda X: X
