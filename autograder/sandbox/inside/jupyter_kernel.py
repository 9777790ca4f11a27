"""An ipykernel in the sandbox, for programs other than the examiner that run notebooks, such as nbconvert."""

import json
import socket
import sys
from pathlib import Path

import zmq
from ipykernel.ipkernel import IPythonKernel
from ipykernel.kernelapp import IPKernelApp
from traitlets import Dict

from .shell import shell_config

PORTS = ("shell", "iopub", "stdin", "control")


class Kernel(IPythonKernel):
    _supports_kernel_subshells = False

    def __init__(self, **options: object):
        super().__init__(**options)  # type: ignore[no-untyped-call]  # ipykernel has no types, here and below
        assert self.shell is not None
        self.shell.kernel = self.shell.parent = self  # the zygote made the shell before there was a kernel


class KernelApp(IPKernelApp):
    """Takes sockets that listen already, since the folder for them is hidden by the time the kernel starts."""

    bound: "Dict[int, int]" = Dict()  # the file descriptor of each port

    def _try_bind_socket(self, channel: zmq.Socket[bytes], port: int) -> int:
        channel.setsockopt(zmq.USE_FD, self.bound[port])
        chosen: int = super()._try_bind_socket(channel, port)  # type: ignore[no-untyped-call]
        return chosen

    def init_heartbeat(self) -> None:
        """No heartbeat: the provisioner polls the process."""


def bind_sockets(folder: str, connection: dict[str, object]) -> dict[int, int]:
    """Listen on a Unix socket in the folder for each port; returns the file descriptors by port."""
    bound = {}
    for name in PORTS:
        port = connection[f"{name}_port"]
        assert isinstance(port, int)
        listening = socket.socket(socket.AF_UNIX)
        listening.bind(f"{folder}/k-{port}")
        listening.listen()
        bound[port] = listening.detach()
    return bound


def run_kernel(connection: dict[str, object], bound: dict[int, int]) -> None:
    """Run the kernel's event loop until a shutdown request."""
    connection_file = Path("connection.json").absolute()
    connection_file.write_text(json.dumps(connection))
    config = shell_config()
    config.IPKernelApp.connection_file = str(connection_file)
    config.IPKernelApp.kernel_class = Kernel
    config.IPKernelApp.log_level = 50  # critical only: standard error goes nowhere
    sys.argv = ["kernel"]
    app = KernelApp.instance(config=config, bound=bound)
    app.initialize([])  # type: ignore[no-untyped-call]
    app.start()  # type: ignore[no-untyped-call]
