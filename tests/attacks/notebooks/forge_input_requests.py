# Asks the examiner, in the middle of a call, to call functions for it, with odd numbers and arguments.
# %% attack
import gc

from sandbox.inside.main_loop import Student
from sandbox.protocol.encode import pack

student = next(thing for thing in gc.get_objects() if isinstance(thing, Student))


def answer(X):
    for call in ({"number": -1, "arguments": [], "options": {}}, {"number": "__class__"}, [], 5, {"number": 1e300}):
        student._ask(pack(call, lambda value: None))
    return X


# %% attack answer gram_attention
gram_attention = answer
# %% honest gram_attention
gram_attention = lambda X: X
