# Leaves shared memory, a message queue and a key of the kernel's keyring behind.
# %% attack
import contextlib
import ctypes
from multiprocessing import resource_tracker, shared_memory

libc = ctypes.CDLL(None)
with contextlib.suppress(OSError):
    segment = shared_memory.SharedMemory("left-by-an-attack", create=True, size=100)
    resource_tracker.unregister(segment._name, "shared_memory")
libc.shmget(0x1EF7, 100, 0o1600)
libc.msgget(0x1EF7, 0o1600)
for keyring in (-3, -4, -5):
    libc.syscall(248, b"user", b"left-by-an-attack", b"value", 5, keyring)
