"""The examiner's session with one student's kernel: run cells, look up names, run tasks.

Whatever the kernel sends is read as data of a bounded size. A forged message can change only its own submission's
grade, and that only through values that an exam compares with the right ones.
"""

import json
import select
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from nbformat import NotebookNode

from autograder.course.safe_text import printable
from autograder.examiner.assignment import Limits
from autograder.examiner.callbacks import Callback, bounded_time, run_callback, set_modes
from autograder.examiner.cell_outputs import CellOutputs
from autograder.examiner.proxies import make_proxy, refer
from autograder.examiner.stand_ins import description, run_reference
from autograder.sandbox.kernel_process import WarmKernel
from autograder.sandbox.protocol.channel import (
    ANSWER,
    DONE,
    OUTPUT,
    QUESTION,
    REPLY,
    REQUEST,
    RUN,
    MalformedMessage,
    Message,
)
from autograder.sandbox.protocol.decode import unpack
from autograder.sandbox.protocol.encode import pack
from autograder.sandbox.protocol.types import LARGEST_TREE, LONGEST_NAME, Recipe, Reference, WireError
from course_lib.checks import Finding
from course_lib.checks.finding import Kind, Observed, finding_of
from course_lib.checks.remote_task import RemoteObject

SECONDS_TO_SEND = 5.0  # a kernel that does not read must not block the examiner
SECONDS_BETWEEN_LOOKS = 0.25  # at memory and processes: psutil takes milliseconds for a tree of processes
UNREADABLE = Observed("its answer could not be read", kind=Kind.NOT_READABLE)
# an output, in place of one that is not read
TOO_LARGE = json.dumps(["stream", {"name": "stdout", "text": "\n… an output of more than 4 MB was left out here\n"}])
TEXTS = ("got", "expected", "detail", "where", "line", "error")


class Lost(Finding):
    """The kernel ended or was killed; `reason` completes the sentence "its code …"."""

    def __init__(self, reason: str):
        super().__init__(f"its code {reason}", kind=Kind.STOPPED)
        self.reason = reason
        self.outputs: list[NotebookNode] = []


@dataclass
class Session:
    """Owns its kernel until `close`; once the kernel is lost, every call raises the same Lost."""

    kernel: WarmKernel
    limits: Limits
    deadline: float  # of the submission, on the monotonic clock
    lost: Lost | None = field(default=None, init=False)
    timed_out: bool = field(default=False, init=False)  # whether it was lost to a limit of time
    sandbox_ended: bool = field(default=False, init=False)  # whether it went down with its zygote

    def __post_init__(self) -> None:
        self._channel = self.kernel.channel
        self._channel.socket.settimeout(SECONDS_TO_SEND)
        self._poll = select.poll()
        self._poll.register(self._channel.socket, select.POLLIN)
        self._references: dict[str, Callback] = {}
        self._number = 0
        self._until = 0.0  # when the time is up for what runs now
        self._answering = False  # a question, while the student's process waits and can answer nothing itself
        self._next_look = time.monotonic() + SECONDS_BETWEEN_LOOKS

    def close(self) -> None:
        self.kernel.kill()

    def run(self, source: str) -> list[NotebookNode]:
        """The outputs of a cell; raises Lost, with the outputs so far, when there is no kernel left."""
        outputs = CellOutputs()
        self._send(RUN, [source.encode("utf-8", "replace")])
        try:
            for message in self._messages(self.limits.cell, f"ran longer than {self.limits.cell:g} s"):
                if message.kind == DONE:
                    break
                if message.kind == OUTPUT:
                    outputs.take(*_output(message))
                if message.kind == QUESTION and self._references:
                    self._answer(message, [])
        except Lost as lost:
            lost.outputs = outputs.cells()
            raise
        return outputs.cells()

    def look_up(self, name: str) -> tuple[bool, object]:
        """Whether the student's code defines the name, and the value or a proxy of it."""
        pair = self._request({"look up": name})
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise Finding("could not be looked up", where=name, kind=Kind.NOT_EXAMINED)
        return pair[0] is True, pair[1]

    def put_stand_in(self, name: str, reference: Callback) -> None:
        """From here on the name calls the reference, which runs here, wherever the student's code uses it."""
        self._references[name] = reference
        self._request({"stand in": name} | description(reference))

    def run_task(self, task: str, name: str, answer: RemoteObject, *details: object) -> object:
        """Run a task of course_lib.checks in the student's process: returns its value or raises its Finding."""
        return self._request({"task": task, "arguments": [name, answer, *details]})

    def _request(self, request: dict[str, object]) -> object:
        if self._answering:
            raise TypeError("what is called takes data alone, and no functions or objects of yours")
        callbacks: list[Callback] = []
        self._send(REQUEST, pack(request, lambda value: refer(value, callbacks)))
        late = f"did not return within {self.limits.call:g} s: is there an endless loop?"
        for message in self._messages(self.limits.call, late):
            if message.kind == QUESTION:
                self._answer(message, callbacks)
            elif message.kind == REPLY:
                return self._value(message, callbacks)
        raise AssertionError("messages end only by raising Lost")

    def _value(self, message: Message, callbacks: list[Callback]) -> object:
        try:
            reply = unpack(message.frames, lambda item: make_proxy(self, item))
        except WireError as error:
            raise finding_of(replace(UNREADABLE, detail=str(error))) from None
        if not isinstance(reply, dict):
            raise finding_of(UNREADABLE)
        if "finding" in reply:
            raise finding_of(_observed(reply["finding"]))
        if "value" not in reply:
            raised = reply.get("error")
            if not isinstance(raised, str):
                raise finding_of(UNREADABLE)
            raise Finding(f"looking at it raised {printable(raised[:LONGEST_NAME])}", kind=Kind.NOT_EXAMINED)
        set_modes(callbacks, reply.get("modes"))
        return reply["value"]

    def _answer(self, message: Message, callbacks: list[Callback]) -> None:
        """Run a callback for the student's code, and send back its value or its exception."""
        self._answering = True
        try:
            with bounded_time(min(self._until, self.deadline) - time.monotonic()):
                if self._references and (order := self._order(message, callbacks)):
                    value = run_reference(self._references, order)
                else:
                    value = run_callback(callbacks, unpack(message.frames, lambda item: make_proxy(self, item)))
            frames = pack({"value": value}, lambda value: refer(value, callbacks))
        except Exception as error:
            reply = {"error": type(error).__name__, "message": str(error)[:400]}
            frames = pack(reply, lambda value: refer(value, callbacks))
        finally:
            self._answering = False
        self._send(ANSWER, frames, message.number)

    def _order(self, message: Message, callbacks: Sequence[Callback]) -> Mapping[str, Any] | None:
        """What a stand-in asks for; None if the question is not a stand-in's. Only our own objects come with it."""
        foreign: list[object] = []

        def resolve(item: Reference | Recipe) -> object:
            if isinstance(item, Reference) and not item.of_sender and 0 <= item.number < len(callbacks):
                return callbacks[item.number]
            foreign.append(item)
            return None

        order = unpack(message.frames, resolve)
        if not isinstance(order, dict) or "stand in" not in order:
            return None
        if foreign:
            raise WireError("a stand-in can be given data alone")
        return order

    def _send(self, kind: bytes, frames: list[bytes], number: int | None = None) -> None:
        if self.lost:
            raise self.lost
        if number is None:
            self._number += 1
        try:
            self._channel.send(kind, self._number if number is None else number, frames)
        except OSError:
            self._look_after_kernel()
            self._lose("asked for more than it read")

    def _messages(self, seconds: float, late: str) -> Iterator[Message]:
        """The replies to the message sent last; raises Lost when the time is up or the kernel has ended."""
        self._until = time.monotonic() + seconds
        while True:
            try:
                message = self._channel.next_message()
                if message is None and self._poll.poll(SECONDS_BETWEEN_LOOKS * 1000):
                    self._channel.read()
            except MalformedMessage:
                self._lose("sent something that cannot be read")
            except (EOFError, OSError):
                self._lose_ended()
            if message is not None and message.number == self._number:  # others are late, or forged in advance
                yield message
            self._look_after(late)

    def _look_after(self, late: str) -> None:
        now = time.monotonic()
        if now > self._until or now > self.deadline:
            self.timed_out = True
            whole = f"ran into the limit of {self.limits.submission:g} s for a whole submission"
            self._lose(late if now > self._until else whole)
        if now > self._next_look:
            self._next_look = now + SECONDS_BETWEEN_LOOKS
            self._look_after_kernel()

    def _look_after_kernel(self) -> None:
        self.kernel.enforce_limits()
        if self.kernel.ended_because:
            self._lose(f"was stopped because {self.kernel.ended_because}")
        if not self.kernel.alive():
            self._lose_ended()

    def _lose_ended(self) -> None:
        self.sandbox_ended = not self.kernel.zygote_answers()
        self._lose("ended the kernel: does it exit the process or use up the memory?")

    def _lose(self, reason: str) -> None:
        self.lost = Lost(reason)
        self.kernel.kill()
        raise self.lost


def _observed(fields: object) -> Observed:
    """What the student's process says of an answer: known fields and texts alone, made harmless for a terminal."""
    if not isinstance(fields, dict) or not all(isinstance(fields.get(name), str) for name in (*TEXTS, "kind")):
        return UNREADABLE
    try:
        return Observed(**{name: printable(fields[name]) for name in TEXTS}, kind=Kind(fields["kind"]))
    except ValueError:
        return UNREADABLE


def _output(message: Message) -> tuple[str, dict[str, object]]:
    """The type and content of a Jupyter message; empty if it cannot be read, or takes more memory to read than it may.

    Data takes up to thirty times as much memory as its JSON.
    """
    try:
        (frame,) = message.frames
        kind, content = json.loads(frame if len(frame) <= LARGEST_TREE else TOO_LARGE)
    except (ValueError, TypeError, RecursionError):
        return "", {}
    return (kind, content) if isinstance(kind, str) and isinstance(content, dict) else ("", {})
