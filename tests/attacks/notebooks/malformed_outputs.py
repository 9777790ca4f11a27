# Sends outputs that cannot be stored: half characters, numbers in place of text, values nested a thousand deep.
# %% attack
publisher = get_ipython().display_pub
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
    ("clear_output", {"wait": "\ud800"}),
    ("update_display_data", {"data": {}, "metadata": {}, "transient": {"display_id": []}}),
    ("display_data", {"data": {"text/plain": "x"}, "metadata": {}, "transient": ["display_id"]}),
]
for kind, content in outputs:
    publisher.session.send(publisher.pub_socket, kind, content, parent=publisher.parent_header)
