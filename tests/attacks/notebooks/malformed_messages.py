# Sends the examiner signed messages whose headers and contents are not what they should be.
# %% attack
import json

kernel = get_ipython().kernel
session, parent = kernel.session, kernel.get_parent()["header"]
identity = kernel._parent_ident["shell"]
header = session.msg_header("status")
odd = [[], None, 5, "text", {"msg_id": []}, {"msg_id": "\ud800", "date": "2020-01-01T00:00:00Z"}]
for channel, front in ((kernel.iopub_socket, [b"kernel.status"]), (kernel.shell_stream, identity)):
    for value in odd:
        for parts in ((header, value, {}, {}), (value, parent, {}, {}), (header, parent, value, {}), (header, parent, {}, value)):
            texts = [json.dumps(part, default=str).encode() for part in parts]
            channel.send_multipart([*front, b"<IDS|MSG>", session.sign(texts), *texts])
    channel.send_multipart([*front, b"<IDS|MSG>", b"", b"{}", b"{}", b"{}", b"{}"])
    channel.send_multipart([b""])
# %% attack answer gram_attention
def gram_attention(X):
    parent, identity = kernel._asking
    for strange in ({"msg_id": "\ud800"}, {"date": float("nan")}):
        texts = [json.dumps(part, default=str).encode() for part in ({**session.msg_header("input_request"), **strange}, parent["header"], {}, {})]
        kernel.stdin_socket.send_multipart([*identity, b"<IDS|MSG>", session.sign(texts), *texts])
    return X


# %% honest gram_attention
gram_attention = lambda X: X
