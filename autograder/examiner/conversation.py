"""The examiner's conversation with one student's kernel: run cells, look up names, have tasks performed.

Whatever the kernel sends is taken for data and bounded. It may say anything: all it can reach is its own submission's
grade, and that only through values that an exam compares with the right ones.
"""

import json
import os
import resource
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache

import psutil
import torch
import zmq
from jupyter_client import BlockingKernelClient
from jupyter_client.manager import KernelManager
from jupyter_client.session import DELIM
from torch import Tensor, nn

from autograder.assignment import Limits
from autograder.errors import CourseError
from autograder.examinee.wire import WireError, pack, unpack
from autograder.examiner.outputs import Outputs
from autograder.examiner.remote import Remote, proxy, refer
from autograder.storable import printable
from course_lib.checks import Finding, NotWritten

REQUEST, REPLY = "exam_request", "exam_reply"
LARGEST_FRAME = 40_000_000
SECONDS_TO_START = 60.0
SECONDS_BETWEEN_LOOKS = 0.25
MOST_NUMBERS_BORROWED = 1_000_000  # in the arguments with which a student's code calls a function of the examiner's
MEMORY_FOR_LENDING = 2 * 2**30
MOST_RECEIVED = 500 * 2**20  # bytes by which the examiner may grow: what has been sent to it waits in its memory
FINISHED_LATE = 2.0  # seconds for the rest of a cell's output after its reply


@cache
def _context(process: int) -> zmq.Context:
    """Of this process: what was made before a fork is of no use after it."""
    context = zmq.Context()
    context.setsockopt(zmq.MAXMSGSIZE, LARGEST_FRAME)
    context.setsockopt(zmq.LINGER, 0)
    context.setsockopt(zmq.SNDTIMEO, 1_000)  # milliseconds: a kernel that does not read must not block the examiner
    return context


class Lost(Finding):
    """The kernel has ended or was ended; `reason` says why, as the end of a sentence."""

    def __init__(self, reason: str):
        super().__init__(f"its code {reason}")
        self.reason = reason
        self.outputs: list[dict] = []


@dataclass
class Conversation:
    """A kernel of its own, until `close`."""

    manager: KernelManager
    limits: Limits
    deadline: float  # of the submission, on the monotonic clock
    lost: Lost | None = field(default=None, init=False)
    timed_out: bool = field(default=False, init=False)  # whether it was lost to a limit of time

    def __post_init__(self) -> None:
        self.manager.start_kernel()
        self._client: BlockingKernelClient = self.manager.client(context=_context(os.getpid()))
        self._client.start_channels(hb=False)
        self._next_look, self._memory = 0.0, _own_memory()
        self._wait_until_ready()

    def close(self) -> None:
        self._client.stop_channels()
        self.manager.provisioner.kernel.kill()
        self.manager.cleanup_resources()

    def run(self, source: str) -> list[dict]:
        """The outputs of a cell; raises Lost, with the outputs so far, when there is no kernel left."""
        message = self._client.execute(source, allow_stdin=False, stop_on_error=False)
        outputs = Outputs()
        replied = idle = False
        try:
            for channel, received in self._messages(self.limits.cell, f"ran longer than {self.limits.cell:g} s"):
                if received["parent_header"].get("msg_id") != message:
                    continue
                if channel == "shell":
                    replied, last = True, time.monotonic()
                elif received["msg_type"] == "status":
                    idle = received["content"].get("execution_state") == "idle"
                else:
                    outputs.take(received)
                if replied and (idle or time.monotonic() - last > FINISHED_LATE):
                    break
        except Lost as lost:
            lost.outputs = outputs.cells()
            raise
        return outputs.cells()

    def look_up(self, name: str) -> tuple[bool, object]:
        """Whether the student's code defines the name, and the value or a proxy of it."""
        found = self._request({"look up": name})
        if not isinstance(found, tuple) or len(found) != 2:
            raise Finding(f"{name} could not be looked up")
        return found[0] is True, found[1]

    def perform(self, task: str, name: str, answer: Remote, *details: object) -> object:
        """The value of a task performed beside the answer, or the Finding that it raised there."""
        return self._request({"task": task, "arguments": [name, answer, *details]})

    def _request(self, request: dict) -> object:
        if self.lost:
            raise self.lost
        lent: list[Callable] = []
        frames = pack(request, lambda value: refer(value, lent))
        message = self._client.session.msg(REQUEST, {})
        self._client.session.send(self._client.shell_channel.socket, message, buffers=frames)
        late = f"did not return within {self.limits.call:g} s: is there an endless loop?"
        for channel, received in self._messages(self.limits.call, late):
            if received["parent_header"].get("msg_id") != message["header"]["msg_id"]:
                continue
            if channel == "stdin":
                self._lend(received, lent)
            elif channel == "shell":
                return self._value(received.get("buffers", []), lent)
        raise AssertionError("messages end only by raising Lost")

    def _value(self, frames: list, lent: list[Callable]) -> object:
        try:
            reply = unpack(frames, lambda item: proxy(self, item))
        except WireError as error:
            raise Finding(f"its answer could not be read: {error}") from None
        if not isinstance(reply, dict):
            raise Finding("its answer could not be read")
        if isinstance(said := reply.get("finding"), str):
            raise (NotWritten if reply.get("not written") is True else Finding)(printable(said))
        if "value" not in reply:
            raise Finding(f"looking at it raised {printable(str(reply.get('error')))}")
        _set_modes(lent, reply.get("modes"))
        return reply["value"]

    def _lend(self, received: dict, lent: list[Callable]) -> None:
        """Call a function of an exam for the student's code, and send back what it returns."""
        try:
            call = unpack(received.get("buffers", []), lambda item: proxy(self, item))
            _require_modest(call)
            function = _lent_function(lent, call)
            with _bounded_memory(), torch.set_grad_enabled(call["gradients"] is True):
                reply = {"value": function(*call["arguments"], **call["options"])}
            frames = pack(reply, lambda value: refer(value, lent))
        except Exception as error:
            frames = pack(
                {"error": type(error).__name__, "message": str(error)[:400]}, lambda value: refer(value, lent)
            )
        session = self._client.session
        message = session.msg("input_reply", {"value": ""}, parent=received)
        try:
            session.send(self._client.stdin_channel.socket, message, buffers=frames)
        except (zmq.Again, ValueError):
            self._lose("asked for more than it read, or with a header that cannot be sent back")

    def _messages(self, seconds: float, late: str) -> Iterator[tuple[str, dict]]:
        """Messages as they come, by channel, until the time is up or the kernel has ended: then Lost is raised."""
        if self.lost:
            raise self.lost
        channels = {
            self._client.shell_channel.socket: "shell",
            self._client.iopub_channel.socket: "iopub",
            self._client.stdin_channel.socket: "stdin",
        }
        poller = zmq.Poller()
        for socket in channels:
            poller.register(socket, zmq.POLLIN)
        until = time.monotonic() + seconds
        while True:
            ready = dict(poller.poll(SECONDS_BETWEEN_LOOKS * 1000))
            for socket in ready:
                received = self._receive(socket)
                if received is not None:
                    yield channels[socket], received
            self._look_after(until, late, quiet=not ready)

    def _receive(self, socket: zmq.Socket) -> dict | None:
        """The next message, or None if it is not one that a kernel of ours would send.

        Signatures are not looked at: the student's code could sign whatever it likes.
        """
        try:
            frames = socket.recv_multipart()
            start = frames.index(DELIM) + 2
            header, parent_header, _, content = (json.loads(frame) for frame in frames[start : start + 4])
            received = {"header": header, "parent_header": parent_header, "content": content}
            if not all(isinstance(part, dict) for part in received.values()):
                return None
            return received | {"msg_type": header["msg_type"], "buffers": frames[start + 4 :]}
        except Exception:
            return None

    def _look_after(self, until: float, late: str, quiet: bool) -> None:
        now = time.monotonic()
        if now > until or now > self.deadline:
            reason = (
                late if now > until else f"ran into the limit of {self.limits.submission:g} s for a whole submission"
            )
            self.timed_out = True
            self._lose(reason)
        if quiet or now > self._next_look:
            self._next_look = now + SECONDS_BETWEEN_LOOKS
            if _own_memory() - self._memory > MOST_RECEIVED:
                self._lose("sent more than can be read")
            kernel = self.manager.provisioner.kernel
            kernel.hold_to_limits()
            if kernel.ended_because:
                self._lose(f"was stopped because {kernel.ended_because}")
            if not kernel.alive():
                self._lose("ended the kernel: does it exit the process or use up the memory?")

    def _lose(self, reason: str) -> None:
        self.lost = Lost(reason)
        self.manager.provisioner.kernel.kill()
        raise self.lost

    def _wait_until_ready(self) -> None:
        """Until a reply has come, and a message on the channel of outputs, which takes a while to be connected."""
        self._client.kernel_info()
        heard: set[str] = set()
        try:
            for channel, _ in self._messages(SECONDS_TO_START, "did not start"):
                heard.add(channel)
                if {"shell", "iopub"} <= heard:
                    return
                if channel == "shell":
                    self._client.kernel_info()
        except Lost as lost:
            raise CourseError(f"a new kernel could not be reached: it {lost.reason}") from None


def _own_memory() -> int:
    return psutil.Process().memory_info().rss


def _require_modest(call: object) -> None:
    arguments = [*call["arguments"], *call["options"].values()]
    if sum(value.numel() for value in arguments if isinstance(value, Tensor)) > MOST_NUMBERS_BORROWED:
        raise ValueError(f"call the implementation with at most {MOST_NUMBERS_BORROWED:,} numbers")


def _lent_function(lent: list[Callable], call: dict) -> Callable:
    """What the student's code asks for, if it was lent."""
    target = lent[call["number"]]
    if not isinstance(target, nn.Module):
        return target
    target.train(call["training"] is True)
    if call["method"] == "forward":
        return target
    return {name: getattr(target, name) for name in target.lent_methods}[call["method"]]


def _set_modes(lent: list[Callable], modes: object) -> None:
    """Lent modules are left in the mode in which the student's code left them."""
    for number, target in enumerate(lent):
        if isinstance(target, nn.Module) and isinstance(modes, dict):
            target.train(modes.get(number) is True)


@contextmanager
def _bounded_memory() -> Iterator[None]:
    """A student's choice of sizes must not use up the examiner's memory."""
    if sys.platform != "linux":
        yield
        return
    with open("/proc/self/status") as status:
        used = next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmData"))
    before = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (used + MEMORY_FOR_LENDING, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, before)
