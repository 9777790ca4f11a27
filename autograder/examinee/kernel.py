"""The student's kernel: an ordinary IPython kernel that also answers the examiner."""

import sys
from pathlib import Path

import ipykernel.debugger
import zmq
from ipykernel.compiler import XCachingCompiler
from ipykernel.ipkernel import IPythonKernel
from ipykernel.kernelapp import IPKernelApp
from ipykernel.zmqshell import ZMQInteractiveShell
from traitlets.config import Config

from .agent import Agent

ipykernel.debugger._is_debugpy_available = False  # nobody debugs here, and it takes a while to set up
REQUEST, REPLY = "exam_request", "exam_reply"


class ExamineeKernel(IPythonKernel):
    _supports_kernel_subshells = False  # or each message would pass through another thread

    def __init__(self, **kwargs: object):
        super().__init__(**kwargs)
        self.shell.kernel = self.shell.parent = self  # it may have been there before: see `prepare`
        self.shell_handlers[REQUEST] = self._exam_request
        self._agent = Agent(self.shell.user_ns, self._ask)
        self._asking: tuple = ()

    async def _exam_request(self, stream: object, ident: list[bytes], parent: dict) -> None:
        self._asking = parent, ident
        frames = self._agent.answer([bytes(frame) for frame in parent["buffers"]])
        self.session.send(stream, REPLY, {}, parent=parent, ident=ident, buffers=frames)

    def _ask(self, frames: list[bytes]) -> list[bytes]:
        """Ask the examiner in the middle of a request, on the channel on which kernels ask for input."""
        parent, ident = self._asking
        self.session.send(self.stdin_socket, "input_request", {}, parent=parent, ident=ident, buffers=frames)
        while True:
            if zmq.select([self.stdin_socket], [], [], 0.05)[0]:
                _, reply = self.session.recv(self.stdin_socket)
                if reply is not None:
                    return [bytes(frame) for frame in reply["buffers"]]


def prepare() -> None:
    """Before the fork, what takes long and needs no sockets: the shell in which cells will run."""
    ZMQInteractiveShell.instance(config=_config(), compiler_class=XCachingCompiler)


def start_kernel(connection_file: Path, sockets_bound: object) -> None:
    """Run a kernel until it is told to stop; `sockets_bound` is called when it can be reached."""
    config = _config()
    config.IPKernelApp.connection_file = str(connection_file)
    sys.argv = ["examinee"]
    app = IPKernelApp.instance(config=config)
    app.initialize([])
    sockets_bound()
    app.start()


def _config() -> Config:
    config = Config()
    config.IPKernelApp.kernel_class = ExamineeKernel
    config.IPKernelApp.no_stderr = config.IPKernelApp.no_stdout = False
    config.IPKernelApp.log_level = 50
    config.HistoryManager.enabled = False
    config.InteractiveShell.colors = "nocolor"
    config.InteractiveShell.xmode = "Plain"  # the usual tracebacks take longer to write than most cells to run
    config.ExamineeKernel._execute_sleep = 0.0
    return config
