"""Linux namespaces for one kernel, nested in those of bubblewrap: they end with their first process."""

import contextlib
import ctypes
import os
import platform
import signal
from collections.abc import Callable

libc = ctypes.CDLL(None, use_errno=True)
python = ctypes.PyDLL(None, use_errno=True)  # holds the GIL during calls, as a fork must
python.syscall.restype = ctypes.c_long

_NEW = 0x10000000 | 0x00020000 | 0x08000000 | 0x20000000 | 0x40000000 | 0x04000000  # user, mount, ipc, pid, net, uts
_CLONE = {"x86_64": 56, "aarch64": 220, "riscv64": 220, "ppc64le": 120}
_NOSUID, _NODEV, _NOEXEC, _READ_ONLY, _PRIVATE, _RECURSIVE = 2, 4, 8, 1, 1 << 18, 16384
_PR_SET_DUMPABLE, _PR_SET_NO_NEW_PRIVS, _PR_CAPBSET_DROP, _PR_SET_PDEATHSIG = 4, 38, 24, 1
_LAST_CAPABILITY = 63  # Linux keeps them in 64 bits; numbers without a capability are refused, which does no harm


def fork_into_namespaces() -> int:
    """`os.fork` by clone(), with the child as process 1 of a new PID namespace: when it ends, so does all it started.

    PyOS_BeforeFork and its counterparts are what os.fork itself calls to keep the interpreter's state sound.
    """
    python.PyOS_BeforeFork()
    child: int = python.syscall(
        ctypes.c_long(_CLONE[platform.machine()]), ctypes.c_long(_NEW | signal.SIGCHLD), 0, 0, 0, 0
    )
    if child != 0:
        number = ctypes.get_errno()
        python.PyOS_AfterFork_Parent()
        if child < 0:
            raise OSError(number, f"clone: {os.strerror(number)}")
        return child
    python.PyOS_AfterFork_Child()
    return 0


def keep_user(uid: int, gid: int) -> None:
    """Map the user to itself in the new user namespace; only a dumpable process may write its uid_map."""
    call(libc.prctl, _PR_SET_DUMPABLE, 1, 0, 0, 0)
    for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(text)
    not_dumpable()


def mount_private(writable: dict[str, int], sockets: str) -> None:
    """Mount a tmpfs of a limited size on each writable path, an empty one over the sockets, and a /proc of its own."""
    _mount("none", "/", None, _PRIVATE | _RECURSIVE)
    _mount("tmpfs", sockets, "tmpfs", _NOSUID | _NODEV | _READ_ONLY, "size=4k")
    for path, size in writable.items():
        _mount("tmpfs", path, "tmpfs", _NOSUID | _NODEV, f"size={size},nr_inodes=10k,mode=700")
    with contextlib.suppress(OSError), open("/proc/sys/user/max_user_namespaces", "w") as file:
        file.write("0")
    try:  # subset=pid hides /proc/sys, which a grader running as root could write
        _mount("proc", "/proc", "proc", _NOSUID | _NODEV | _NOEXEC, "subset=pid")
    except OSError:  # the kernel refuses a new procfs in a container that masks parts of /proc: hide it all
        _mount("tmpfs", "/proc", "tmpfs", _NOSUID | _NODEV | _NOEXEC | _READ_ONLY, "size=4k")


def drop_privileges() -> None:
    """Drop every capability and set no_new_privs, so that no program regains one."""
    for capability in range(_LAST_CAPABILITY + 1):
        libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)
    call(libc.prctl, _PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    call(libc.capset, header, (ctypes.c_uint32 * 6)())


def not_dumpable() -> None:
    """Forbid other processes of the user to ptrace this one or open its /proc/<pid>/mem."""
    call(libc.prctl, _PR_SET_DUMPABLE, 0, 0, 0, 0)


def die_with_parent() -> None:
    """Have Linux kill this process when its parent ends."""
    call(libc.prctl, _PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def _mount(source: str, target: str, kind: str | None, flags: int, options: str | None = None) -> None:
    texts = [text.encode() if text is not None else None for text in (source, target, kind)]
    call(libc.mount, *texts, ctypes.c_ulong(flags), options.encode() if options else None)


def call(function: Callable[..., int], *arguments: object) -> None:
    """Call a C function that returns 0, or raise an OSError with its errno."""
    if function(*arguments) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{function.__name__}: {os.strerror(number)}")


if __name__ == "__main__":  # bubblewrap.py runs this to see whether nested namespaces are allowed
    if fork_into_namespaces() == 0:
        os._exit(0)
    os.wait()
