# Floods the examiner with questions in the middle of a call and never reads its replies, so that it may block.
# %% attack
import gc

from sandbox.protocol.channel import QUESTION
from sandbox.inside.main_loop import MainLoop
from sandbox.protocol.encode import pack

main_loop = next(thing for thing in gc.get_objects() if isinstance(thing, MainLoop))


def answer(X):
    frames = pack({"number": 0, "arguments": [], "options": {}}, lambda value: None)
    for _ in range(20_000):
        main_loop._channel.send(QUESTION, main_loop._number, frames)
    while True:
        pass


# %% attack answer gram_attention
gram_attention = answer
