# Sends the examiner messages that are none: unknown kinds and numbers, outputs that are no outputs, and then noise.
# %% attack
import gc

from sandbox.protocol.channel import DONE, OUTPUT, QUESTION, READY, REPLY
from sandbox.inside.main_loop import MainLoop

main_loop = next(thing for thing in gc.get_objects() if isinstance(thing, MainLoop))
channel, number = main_loop._channel, main_loop._number
texts = (b"", b"null", b"[", b"[[], []]", b'["stream", []]', b'[5, {}]', b"\xff\xfe", b"[" * 100_000, b'{"stream": {}}')
for kind in (OUTPUT, QUESTION, READY, b"z", b"\0"):
    for wrong in (number, 0, number + 1, 2**32 - 1):
        channel.send(kind, wrong, [])
        for text in texts:
            channel.send(kind, wrong, [text, text])
# %% attack answer gram_attention
def gram_attention(X):
    for text in texts:
        channel.send(QUESTION, main_loop._number, [text])
    channel.send(DONE, main_loop._number)
    return X


# %% attack
for noise in (b"\xff" * 64, b"o" + b"\0" * 4 + b"\xff" * 4, b"o" + b"\0" * 7 + b"\1" + b"\xff" * 4, b"o"):
    channel.socket.sendall(noise)
# %% honest gram_attention
gram_attention = lambda X: X
