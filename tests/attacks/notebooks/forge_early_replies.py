# Sends replies to the examiner's next requests before it makes them, with identifiers it can foretell.
# %% attack
import itertools

from examinee.wire import pack

kernel = get_ipython().kernel
header = kernel.get_parent()["header"]
begin, _, number = header["msg_id"].rpartition("_")
identity = kernel._parent_ident["shell"]
for following in itertools.islice(itertools.count(int(number) + 1), 80):
    parent = {"header": header | {"msg_id": f"{begin}_{following}", "msg_type": "exam_request"}}
    frames = pack({"value": (True, True), "score": 40, "share": 1.0}, lambda value: None)
    kernel.session.send(kernel.shell_stream, "exam_reply", {}, parent=parent, ident=identity, buffers=frames)
