# Leaves files and sockets behind wherever it can write.
# %% attack
import contextlib
import os
import socket

for folder in ("/tmp", "/var/tmp", "/dev/shm", os.path.expanduser("~"), os.getcwd(), "/run/sockets", "/run"):
    with contextlib.suppress(OSError), open(f"{folder}/left-by-an-attack", "w") as file:
        file.write("left-by-an-attack")
    with contextlib.suppress(OSError):
        socket.socket(socket.AF_UNIX).bind(f"{folder}/left-by-an-attack.socket")
