# Replies to the examiner's call from inside the answer: first with a verdict, then with True, then properly.
# %% attack
from examinee.wire import pack


def answer(*arguments):
    kernel = get_ipython().kernel
    parent, identity = kernel._asking
    for value in ({"score": 8, "points": 8, "share": 1.0}, {"value": True}):
        frames = pack(value, lambda value: None)
        kernel.session.send(kernel.shell_stream, "exam_reply", {}, parent=parent, ident=identity, buffers=frames)
    return True


# %% attack answer gram_attention
gram_attention = answer
# %% attack answer attention_matrix
attention_matrix = answer
# %% honest gram_attention
gram_attention = lambda X: True
# %% honest attention_matrix
attention_matrix = lambda X, w_q, w_k: True
