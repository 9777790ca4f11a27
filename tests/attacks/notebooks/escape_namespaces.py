# Makes namespaces, mounts, changes its root and its user, and joins the namespaces of other processes.
# %% attack
import contextlib
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
for name, flag in (("user", 0x10000000), ("mount", 0x00020000), ("pid", 0x20000000), ("network", 0x40000000)):
    if libc.unshare(flag) == 0:
        print("escaped: new namespace,", name)
if libc.mount(b"proc", b"/tmp", b"proc", 0, None) == 0 or libc.umount2(b"/course", 2) == 0:
    print("escaped: mounted")
if libc.mount(None, b"/", None, 32 | 4096, None) == 0:
    print("escaped: the system is writable")
with contextlib.suppress(OSError):
    os.chroot("/tmp")
    print("escaped: changed its root")
with contextlib.suppress(OSError):
    os.mknod("/tmp/disk", 0o60600, os.makedev(254, 0))
    print("escaped: made a device")
for space in ("mnt", "pid", "user"):
    with contextlib.suppress(OSError), open(f"/proc/1/ns/{space}") as file:
        if libc.setns(file.fileno(), 0) == 0:
            print("escaped: joined", space)
