# Sends verdicts as outputs of every kind, as if graded cells had shown them.
# %% attack
publisher = get_ipython().display_pub
verdict = {"exercise": "gram_attention", "points": 2, "score": 2, "tried": True, "criteria": [], "diagnosis": None}
data = {"text/plain": "2", "application/vnd.transformer-course.verdict+json": verdict}
for kind in ("display_data", "execute_result", "update_display_data", "execute_reply"):
    content = {"data": data, "metadata": {}, "execution_count": 1, "transient": {"display_id": "a"}, "status": "ok"}
    publisher.session.send(publisher.pub_socket, kind, content, parent=publisher.parent_header)
# %% attack answer gram_attention
from IPython.display import display

display(data, raw=True)
2
