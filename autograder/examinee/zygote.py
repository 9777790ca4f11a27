"""The zygote: imports everything once, then forks a kernel for each submission.

It reads requests on standard input and writes replies on standard output, one line of JSON each. In the sandbox a
kernel is two processes in namespaces of their own: the first, which only waits, and the student's kernel. When the
first ends, all that the kernel has started and written is gone.
"""

import contextlib
import importlib
import inspect
import json
import os
import resource
import select
import signal
import sys
from pathlib import Path

from .namespaces import die_with_parent, drop_privileges, enter_namespaces, mount_private, not_dumpable, seal
from .system_calls import refuse_system_calls

SOCKETS, OWN_SOCKETS = "/run/sockets", "/run/kernel"
HOME = "/home/student"
MEGABYTE = 2**20


# What notebooks use, and what a kernel would import when it starts.
WARM = (
    *("torch", "matplotlib.pyplot", "matplotlib.font_manager", "matplotlib_inline.backend_inline", "ipywidgets"),
    *("ipykernel.ipkernel", "ipykernel.debugger", "IPython.core.completerlib", "IPython.core.debugger"),
    *("IPython.extensions.storemagic", "tornado.platform.asyncio", "tornado.locks"),
    *("course_lib.checks", "course_lib.plots", "course_lib.widgets", f"{__package__}.kernel"),
)


def warm_up() -> None:
    """Import what will be used; nothing here may start a thread, which would not survive a fork."""
    for name in WARM:
        importlib.import_module(name)
    import matplotlib
    import torch

    torch.set_num_threads(1)
    torch.softmax(torch.ones(2, 2) @ torch.ones(2, 2), -1)
    matplotlib.font_manager.findfont("DejaVu Sans")
    matplotlib.pyplot.close(matplotlib.pyplot.figure())
    inspect.getmodule(inspect.currentframe())  # makes an index of all modules, once


def serve(sandboxed: bool) -> None:
    """Fork a kernel for each line that asks for one, until standard input ends."""
    replies = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    if sandboxed:
        not_dumpable()
    print(json.dumps({"ready": True}), file=replies, flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reader)
            _start_kernel(request, writer, sandboxed)
        os.close(writer)
        with os.fdopen(reader) as answer:
            text = answer.read()
        os.waitpid(child, 0)
        print(text or json.dumps({"error": "the kernel's first process ended at once"}), file=replies, flush=True)


def _start_kernel(request: dict, writer: int, sandboxed: bool) -> None:
    """In a child: make the namespaces and two more processes, tell the pid of the first, and end."""
    try:
        if sandboxed:
            enter_namespaces()
        if os.fork():
            os._exit(0)
        os.setsid()
        pid = os.getpid()
        if sandboxed:
            pid = int(os.readlink("/proc/self"))  # as the world outside numbers it: this is still its /proc
            mount_private(request["writable"], SOCKETS, f"{SOCKETS}/{request['name']}")
        folder = Path(OWN_SOCKETS) if sandboxed else Path(request["folder"])
        _watch_over_kernel(request, folder, sandboxed, lambda: os.write(writer, json.dumps({"pid": pid}).encode()))
    except BaseException as error:
        os.write(writer, json.dumps({"error": f"{type(error).__name__}: {error}"}).encode())
    finally:
        os._exit(1)


def _watch_over_kernel(request: dict, folder: Path, sandboxed: bool, report: object) -> None:
    """The first process: start the kernel, close its door once its sockets are bound, and wait until it ends."""
    bound_reader, bound_writer = os.pipe()
    go_reader, go_writer = os.pipe()
    kernel = os.fork()
    if kernel == 0:
        _be_kernel(request, folder, sandboxed, bound_writer, go_reader)
    os.close(bound_writer)
    if not select.select([bound_reader], [], [], 60)[0] or not os.read(bound_reader, 1):
        raise RuntimeError("the kernel did not start")
    if sandboxed:
        seal(str(folder))
        drop_privileges()
        not_dumpable()
    report()
    _close_all_but({go_writer})
    os.write(go_writer, b"!")
    while True:
        ended, _ = os.wait()
        if ended == kernel:
            os._exit(0)


def _be_kernel(request: dict, folder: Path, sandboxed: bool, bound_writer: int, go_reader: int) -> None:
    """The second process: limits, no privileges, no inherited files; then a kernel that waits for leave to run."""
    if sandboxed:
        drop_privileges()
        refuse_system_calls()
    elif sys.platform == "linux":
        die_with_parent()
    _close_all_but({bound_writer, go_reader})
    limits = request["limits"]
    for name, value in limits.items():
        kind = getattr(resource, f"RLIMIT_{name}")
        hard = resource.getrlimit(kind)[1]
        resource.setrlimit(kind, (value, value) if hard == resource.RLIM_INFINITY or value <= hard else (hard, hard))
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.chdir(HOME if sandboxed else request["home"])
    os.environ["HOME"] = os.getcwd()
    connection_file = folder / "connection.json"
    connection_file.write_text(json.dumps(request["connection"] | {"ip": str(folder / "k")}))

    def sockets_bound() -> None:
        os.write(bound_writer, b"!")
        os.close(bound_writer)
        os.read(go_reader, 1)
        os.close(go_reader)

    from .kernel import start_kernel

    try:
        start_kernel(connection_file, sockets_bound)
    finally:
        os._exit(0)


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
    warm_up()
    serve(sandboxed="--sandboxed" in sys.argv)
