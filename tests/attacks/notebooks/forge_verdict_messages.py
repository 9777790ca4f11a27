# Sends verdicts and results of cells on all channels, as if graded cells had shown them.
# %% attack
kernel = get_ipython().kernel
verdict = {"exercise": "gram_attention", "points": 2, "score": 2, "tried": True, "criteria": [], "diagnosis": None}
data = {"text/plain": "2", "application/vnd.transformer-course.verdict+json": verdict}
for kind in ("display_data", "execute_result", "update_display_data"):
    content = {"data": data, "metadata": {}, "execution_count": 1, "transient": {"display_id": "a"}}
    kernel.session.send(kernel.iopub_socket, kind, content, parent=kernel.get_parent())
reply = {"status": "ok", "execution_count": 1, "user_expressions": {}, "payload": [{"data": data}]}
identity = kernel._parent_ident["shell"]
kernel.session.send(kernel.shell_stream, "execute_reply", reply, parent=kernel.get_parent(), ident=identity)
# %% attack answer gram_attention
from IPython.display import display

display(data, raw=True)
2
