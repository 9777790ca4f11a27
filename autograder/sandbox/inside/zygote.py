"""The zygote: imports everything once, then forks a process for each submission.

Its standard input is a socket. Each byte that comes there brings one end of a line, on which the new process talks with
whoever asked for it. In the sandbox that process is the first in namespaces of its own: when it ends, all that it has
started and written is gone.
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

from ..protocol.channel import FAILED, READY, Channel
from .jupyter_kernel import be_kernel, bind_sockets
from .main_loop import Student
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

# What notebooks use, and what a kernel would import when it starts.
WARM = (
    *("torch", "matplotlib.pyplot", "matplotlib.font_manager", "matplotlib_inline.backend_inline", "ipywidgets"),
    *("ipykernel.ipkernel", "ipykernel.debugger", "IPython.core.completerlib", "IPython.core.debugger"),
    *("IPython.core.oinspect", "IPython.core.logger", "pygments.formatters.terminal256", "pygments.styles.default"),
    *("IPython.extensions.storemagic", "tornado.platform.asyncio", "tornado.locks"),
    *("course_lib.checks", "course_lib.plots", "course_lib.widgets"),
)


def warm_up() -> StudentShell:
    """Import what will be used and make the shell; nothing here may start a thread, which would not survive a fork."""
    shell = new_shell()  # before matplotlib, which looks for one that will show its figures
    for name in WARM:
        importlib.import_module(name)
    import matplotlib
    import torch

    from course_lib.cards import read_cards
    from course_lib.widgets.quiz_bank import read_questions

    torch.set_num_threads(1)
    torch.softmax(torch.ones(2, 2) @ torch.ones(2, 2), -1)
    matplotlib.font_manager.findfont("DejaVu Sans")
    matplotlib.pyplot.close(matplotlib.pyplot.figure())
    shell.run_cell("__import__('traceback').format_stack() and None")  # finds what it needs, and reads its own source
    read_cards()
    read_questions()
    inspect.getmodule(inspect.currentframe())  # makes an index of all modules, once
    gc.collect()
    gc.freeze()  # or each kernel's collector would copy what it shares with the zygote
    return shell


def serve(shell: StudentShell, sandboxed: bool, settings: dict) -> None:
    """Fork a process for each byte that brings a line, until standard input ends."""
    requests = socket.socket(fileno=os.dup(0))
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the children
    if sandboxed:
        not_dumpable()
    settings |= {"user": (os.getuid(), os.getgid())}  # afterwards, in new namespaces, it is nobody
    requests.send(READY)
    while True:
        asked, lines, *_ = socket.recv_fds(requests, 1, 1)
        if not asked:
            return
        channel = Channel(socket.socket(fileno=lines[0]))
        try:
            child = fork_into_namespaces() if sandboxed else os.fork()
        except OSError as error:
            channel.send(FAILED, 0, [str(error).encode()])
        else:
            if child == 0:
                _begin(channel, shell, sandboxed, settings)
        channel.socket.close()


def _begin(channel: Channel, shell: StudentShell, sandboxed: bool, settings: dict) -> None:
    """In the child: close every door behind it, say which process this is, and serve."""
    try:
        os.setsid()
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        order = json.loads(channel.receive().frames[0])
        process = os.readlink("/proc/self") if sandboxed else str(os.getpid())  # as the world outside numbers it
        bound = {}
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
            be_kernel(connection, bound)
        else:
            Student(channel, shell).serve()
    except EOFError:
        pass  # nobody is there any more
    except BaseException as error:
        channel.send(FAILED, 0, [f"{type(error).__name__}: {error}".encode()])
    finally:
        os._exit(0)


def _limit(limits: dict[str, int]) -> None:
    for name, value in limits.items():
        kind = getattr(resource, f"RLIMIT_{name}")
        hard = resource.getrlimit(kind)[1]
        resource.setrlimit(kind, (value, value) if hard == resource.RLIM_INFINITY or value <= hard else (hard, hard))


def _close_all_but(kept: set[int]) -> None:
    """Standard input, output and error become nothing; every other file is closed."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nothing, standard)
    for number in map(int, os.listdir("/proc/self/fd") if os.path.exists("/proc/self/fd") else range(3, 1024)):
        if number > 2 and number not in kept:
            with contextlib.suppress(OSError):
                os.close(number)


if __name__ == "__main__":
    serve(warm_up(), "--sandboxed" in sys.argv, json.loads(sys.argv[-1]))
