"""The zygote: imports everything once, then forks a process for each submission.

Its standard input is a Unix socket. Each request there is one byte with a file descriptor (SCM_RIGHTS): one end of the
socket pair on which the new process talks with the examiner. In the sandbox that process is process 1 of its own
namespaces: when it ends, all that it has started and written is gone.
"""

import contextlib
import gc
import importlib
import inspect
import json
import os
import resource
import signal
import socket
import sys
from typing import Any

from ..protocol.channel import FAILED, READY, Channel
from .jupyter_kernel import bind_sockets, run_kernel
from .main_loop import MainLoop
from .namespaces import (
    die_with_parent,
    drop_privileges,
    fork_into_namespaces,
    keep_user,
    mount_private,
    not_dumpable,
)
from .seccomp import refuse_system_calls
from .shell import StudentShell, new_shell

SOCKETS, HOME = "/run/sockets", "/home/student"

# Imported before the fork, so that kernels share the memory and start at once: what notebooks use and ipykernel loads.
WARM = (
    *("torch", "matplotlib.pyplot", "matplotlib.font_manager", "matplotlib_inline.backend_inline", "ipywidgets"),
    *("ipykernel.ipkernel", "ipykernel.debugger", "IPython.core.completerlib", "IPython.core.debugger"),
    *("IPython.core.oinspect", "IPython.core.logger", "pygments.formatters.terminal256", "pygments.styles.default"),
    *("IPython.extensions.storemagic", "tornado.platform.asyncio", "tornado.locks"),
    *("course_lib.checks", "course_lib.plots", "course_lib.widgets"),
)


def warm_up() -> StudentShell:
    """Import everything and make the shell; nothing here may start a thread, which would not survive a fork."""
    shell = new_shell()  # before pyplot, which hooks into the shell that exists when it is imported
    for name in WARM:
        importlib.import_module(name)
    import torch
    from matplotlib import font_manager, pyplot

    from course_lib.cards.cards import read_cards
    from course_lib.widgets.quiz_bank import read_questions

    torch.set_num_threads(1)
    torch.softmax(torch.ones(2, 2) @ torch.ones(2, 2), -1)
    font_manager.findfont("DejaVu Sans")
    pyplot.close(pyplot.figure())
    # fills the caches of a first cell
    shell.run_cell("__import__('traceback').format_stack() and None")  # type: ignore[no-untyped-call]  # IPython
    read_cards()
    read_questions()
    inspect.getmodule(inspect.currentframe())  # fills inspect's index of all modules
    gc.collect()
    gc.freeze()  # or each kernel's collector would write to, and so copy, the shared pages
    return shell


def serve(shell: StudentShell, sandboxed: bool, settings: dict[str, Any]) -> None:
    """Fork a process for each request, until standard input ends."""
    requests = socket.socket(fileno=os.dup(0))
    signal.signal(
        signal.SIGCHLD, signal.SIG_IGN
    )  # the system reaps the children: the examiner watches them by their id
    if sandboxed:
        not_dumpable()
    settings |= {"user": (os.getuid(), os.getgid())}  # after clone(), getuid() is 65534 until uid_map is written
    requests.send(READY)
    while True:
        request, descriptors, *_ = socket.recv_fds(requests, 1, 1)
        if not request:
            return
        channel = Channel(socket.socket(fileno=descriptors[0]))
        try:
            child = fork_into_namespaces() if sandboxed else os.fork()
        except OSError as error:
            channel.send(FAILED, 0, [str(error).encode()])
        else:
            if child == 0:
                _begin(channel, shell, sandboxed, settings)
        channel.socket.close()


def _begin(channel: Channel, shell: StudentShell, sandboxed: bool, settings: dict[str, Any]) -> None:
    """In the child: shut it in (namespaces, privileges, system calls, files, limits), report its id, and serve."""
    try:
        os.setsid()
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        order = json.loads(channel.receive().frames[0])
        process = (
            os.readlink("/proc/self") if sandboxed else str(os.getpid())
        )  # /proc is still the outer one, with the outer id
        bound: dict[int, int] = {}
        if connection := order.get("connection"):
            bound = bind_sockets(f"{SOCKETS}/{order['name']}" if sandboxed else order["home"], connection)
        if sandboxed:
            keep_user(*settings["user"])
            mount_private(settings["writable"], SOCKETS)
            drop_privileges()
            refuse_system_calls()
        elif sys.platform == "linux":
            die_with_parent()
        _close_all_but({channel.socket.fileno(), *bound.values()})
        _limit(settings["limits"])
        os.chdir(HOME if sandboxed else order["home"])
        os.environ["HOME"] = os.getcwd()
        channel.send(READY, 0, [process.encode()])
        if connection:
            run_kernel(connection, bound)
        else:
            MainLoop(channel, shell).serve()
    except EOFError:
        pass  # the examiner has closed the socket
    except BaseException as error:
        channel.send(FAILED, 0, [f"{type(error).__name__}: {error}".encode()])
    finally:
        os._exit(0)


def _limit(limits: dict[str, int]) -> None:
    """Set resource limits by name, such as DATA, but none above the hard limit that the process has already."""
    for name, value in limits.items():
        kind = getattr(resource, f"RLIMIT_{name}")
        hard = resource.getrlimit(kind)[1]
        resource.setrlimit(kind, (value, value) if hard == resource.RLIM_INFINITY or value <= hard else (hard, hard))


def _close_all_but(kept: set[int]) -> None:
    """Point standard input, output and error to /dev/null, and close every other descriptor."""
    null = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(null, standard)
    for number in map(int, os.listdir("/proc/self/fd") if os.path.exists("/proc/self/fd") else range(3, 1024)):
        if number > 2 and number not in kept:
            with contextlib.suppress(OSError):
                os.close(number)


if __name__ == "__main__":
    serve(warm_up(), "--sandboxed" in sys.argv, json.loads(sys.argv[-1]))
