"""Linux namespaces for one kernel, inside those that bubblewrap made for all: nothing in them outlives the kernel."""

import contextlib
import ctypes
import os
import platform
import signal
from collections.abc import Callable

libc = ctypes.CDLL(None, use_errno=True)
python = ctypes.PyDLL(None, use_errno=True)  # keeps Python's lock
python.syscall.restype = ctypes.c_long

_NEW = 0x10000000 | 0x00020000 | 0x08000000 | 0x20000000 | 0x40000000 | 0x04000000  # user, mount, ipc, pid, net, uts
_CLONE = {"x86_64": 56, "aarch64": 220, "riscv64": 220, "ppc64le": 120}
_NOSUID, _NODEV, _NOEXEC, _READ_ONLY, _PRIVATE, _RECURSIVE = 2, 4, 8, 1, 1 << 18, 16384
_PR_SET_DUMPABLE, _PR_SET_NO_NEW_PRIVS, _PR_CAPBSET_DROP, _PR_SET_PDEATHSIG = 4, 38, 24, 1
_LAST_CAPABILITY = 63


def fork_into_namespaces() -> int:
    """As `os.fork`, but the child is the first process in namespaces of its own: when it ends, so does all it started.

    Python's own preparations for a fork are its C interface for whoever forks otherwise.
    """
    python.PyOS_BeforeFork()
    child = python.syscall(ctypes.c_long(_CLONE[platform.machine()]), ctypes.c_long(_NEW | signal.SIGCHLD), 0, 0, 0, 0)
    if child != 0:
        number = ctypes.get_errno()
        python.PyOS_AfterFork_Parent()
        if child < 0:
            raise OSError(number, f"clone: {os.strerror(number)}")
        return child
    python.PyOS_AfterFork_Child()
    return 0


def keep_user(uid: int, gid: int) -> None:
    """Be the same user in the new namespaces as outside; only of a process that can be dumped may a user say so."""
    call(libc.prctl, _PR_SET_DUMPABLE, 1, 0, 0, 0)
    for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(text)
    not_dumpable()


def mount_private(writable: dict[str, int], sockets: str) -> None:
    """Memory file systems of so many bytes, nothing where kernels have their sockets, and its own view of processes."""
    _mount("none", "/", None, _PRIVATE | _RECURSIVE)
    _mount("tmpfs", sockets, "tmpfs", _NOSUID | _NODEV | _READ_ONLY, "size=4k")
    for path, size in writable.items():
        _mount("tmpfs", path, "tmpfs", _NOSUID | _NODEV, f"size={size},nr_inodes=10k,mode=700")
    with contextlib.suppress(OSError), open("/proc/sys/user/max_user_namespaces", "w") as file:
        file.write("0")
    try:  # of processes alone: settings of the system are writable for whoever grades as root, sandbox or not
        _mount("proc", "/proc", "proc", _NOSUID | _NODEV | _NOEXEC, "subset=pid")
    except OSError:  # a container that masks parts of /proc forbids a new one: then there is none
        _mount("tmpfs", "/proc", "tmpfs", _NOSUID | _NODEV | _NOEXEC | _READ_ONLY, "size=4k")


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


if __name__ == "__main__":  # a trial: may a process make them here?
    if fork_into_namespaces() == 0:
        os._exit(0)
    os.wait()
