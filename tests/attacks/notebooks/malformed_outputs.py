# Sends outputs that cannot be stored: half characters, numbers in place of text, values nested a thousand deep.
# %% attack
import json

kernel = get_ipython().kernel
deep = {"a": 1}
for _ in range(450):
    deep = {"a": deep}
outputs = [
    ("stream", {"name": "stdout", "text": "half a character: \ud800"}),
    ("stream", {"name": 5, "text": ["not", "text"]}),
    ("display_data", {"data": {"application/json": deep}, "metadata": {}}),
    ("display_data", {"data": {"text/plain": 5}, "metadata": {"x": deep}}),
    ("display_data", {"data": [], "metadata": "none"}),
    ("execute_result", {"data": {"text/plain": None}, "metadata": {}, "execution_count": "one"}),
    ("error", {"ename": 1, "evalue": 2, "traceback": 3}),
    ("error", {"ename": "\ud800", "evalue": "\x1b[2J\ud800", "traceback": [5]}),
]
for kind, content in outputs:
    parts = [session_part for session_part in (kernel.session.msg_header(kind), kernel.get_parent()["header"], {}, content)]
    texts = [json.dumps(part, default=str).encode() for part in parts]
    kernel.iopub_socket.send_multipart([kind.encode(), b"<IDS|MSG>", kernel.session.sign(texts), *texts])
