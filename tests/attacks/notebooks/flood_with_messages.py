# Sends outputs of 39 MB each, faster than they can be read.
# %% attack
kernel = get_ipython().kernel
parent, big = kernel.get_parent(), bytearray(39_000_000)
for _ in range(100):
    content = {"data": {}, "metadata": {}}
    kernel.session.send(kernel.iopub_socket, "display_data", content, parent=parent, buffers=[big])
