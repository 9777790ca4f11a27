"""Linux namespaces for one kernel, inside those that bubblewrap made for all: nothing in them outlives the kernel."""

import contextlib
import ctypes
import os
import signal
from collections.abc import Callable

libc = ctypes.CDLL(None, use_errno=True)

_NEW = 0x10000000 | 0x00020000 | 0x08000000 | 0x20000000 | 0x40000000 | 0x04000000  # user, mount, ipc, pid, net, uts
_NOSUID, _NODEV, _NOEXEC, _READ_ONLY, _REMOUNT, _BIND, _PRIVATE, _RECURSIVE = 2, 4, 8, 1, 32, 4096, 1 << 18, 16384
_PR_SET_DUMPABLE, _PR_SET_NO_NEW_PRIVS, _PR_CAPBSET_DROP, _PR_SET_PDEATHSIG = 4, 38, 24, 1
_LAST_CAPABILITY = 63


def enter_namespaces() -> None:
    """Move this process into namespaces of its own; its next child is the first process of the new pid namespace."""
    uid, gid = os.getuid(), os.getgid()
    call(libc.unshare, _NEW)
    for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(text)
    _mount("none", "/", None, _PRIVATE | _RECURSIVE)


def mount_private(writable: dict[str, int], sockets: str, own_sockets: str) -> None:
    """Memory file systems of so many bytes, this kernel's own folder of sockets, and its own view of processes."""
    _mount(own_sockets, "/run/kernel", None, _BIND)
    _mount("tmpfs", sockets, "tmpfs", _NOSUID | _NODEV | _READ_ONLY, "size=4k")
    for path, size in writable.items():
        _mount("tmpfs", path, "tmpfs", _NOSUID | _NODEV, f"size={size},nr_inodes=10k,mode=700")
    with contextlib.suppress(OSError), open("/proc/sys/user/max_user_namespaces", "w") as file:
        file.write("0")
    try:  # of processes alone: settings of the system are writable for whoever grades as root, sandbox or not
        _mount("proc", "/proc", "proc", _NOSUID | _NODEV | _NOEXEC, "subset=pid")
    except OSError:  # a container that masks parts of /proc forbids a new one: then there is none
        _mount("tmpfs", "/proc", "tmpfs", _NOSUID | _NODEV | _NOEXEC | _READ_ONLY, "size=4k")


def seal(path: str) -> None:
    """Nothing more can be written there; sockets that are bound go on working."""
    _mount("none", path, None, _REMOUNT | _BIND | _READ_ONLY | _NOSUID | _NODEV)


def drop_privileges() -> None:
    """Give up every capability, for good."""
    for capability in range(_LAST_CAPABILITY + 1):
        libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)
    call(libc.prctl, _PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    call(libc.capset, header, (ctypes.c_uint32 * 6)())


def not_dumpable() -> None:
    """No other process may look into this one or alter it."""
    call(libc.prctl, _PR_SET_DUMPABLE, 0, 0, 0, 0)


def die_with_parent() -> None:
    call(libc.prctl, _PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def _mount(source: str, target: str, kind: str | None, flags: int, options: str | None = None) -> None:
    texts = [text.encode() if text is not None else None for text in (source, target, kind)]
    call(libc.mount, *texts, ctypes.c_ulong(flags), options.encode() if options else None)


def call(function: Callable[..., int], *arguments: object) -> None:
    if function(*arguments) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{function.__name__}: {os.strerror(number)}")
