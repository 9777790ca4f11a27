"""An ordinary Jupyter kernel in the sandbox, for programs other than the examiner that run notebooks."""

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
        super().__init__(**options)
        self.shell.kernel = self.shell.parent = self  # the shell was there before


class KernelApp(IPKernelApp):
    """Its sockets were bound before the sandbox was closed."""

    bound = Dict()

    def _try_bind_socket(self, channel: zmq.Socket, port: int) -> int:
        channel.setsockopt(zmq.USE_FD, self.bound[port])
        return super()._try_bind_socket(channel, port)

    def init_heartbeat(self) -> None:
        """Whoever wants to know whether it lives looks at its process."""


def bind_sockets(folder: str, connection: dict) -> dict[int, int]:
    """A file descriptor for each port, which listens on a socket in the folder."""
    bound = {}
    for port in (connection[f"{name}_port"] for name in PORTS):
        listening = socket.socket(socket.AF_UNIX)
        listening.bind(f"{folder}/k-{port}")
        listening.listen()
        bound[port] = listening.detach()
    return bound


def be_kernel(connection: dict, bound: dict[int, int]) -> None:
    """Serve until it is told to stop."""
    connection_file = Path("connection.json").absolute()
    connection_file.write_text(json.dumps(connection))
    config = shell_config()
    config.IPKernelApp.connection_file = str(connection_file)
    config.IPKernelApp.kernel_class = Kernel
    config.IPKernelApp.log_level = 50
    sys.argv = ["kernel"]
    app = KernelApp.instance(config=config, bound=bound)
    app.initialize([])
    app.start()
