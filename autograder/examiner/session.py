"""The examiner's conversation with one student's kernel: run cells, look up names, have tasks performed.

Whatever the kernel sends is taken for data and bounded. It may say anything: all it can reach is its own submission's
grade, and that only through values that an exam compares with the right ones.
"""

import json
import select
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from autograder.course.safe_text import printable
from autograder.examiner.assignment import Limits
from autograder.examiner.callbacks import call_lent, set_modes
from autograder.examiner.cell_outputs import Outputs
from autograder.examiner.proxies import Remote, proxy, refer
from autograder.sandbox.kernel_process import WarmKernel
from autograder.sandbox.protocol.channel import ANSWER, DONE, OUTPUT, QUESTION, REPLY, REQUEST, RUN, Garbled, Message
from autograder.sandbox.protocol.decode import unpack
from autograder.sandbox.protocol.encode import pack
from autograder.sandbox.protocol.types import WireError
from course_lib.checks import Finding
from course_lib.checks.finding import Kind, Observed, finding_of

SECONDS_TO_SEND = 5.0  # a kernel that does not read must not block the examiner
SECONDS_BETWEEN_LOOKS = 0.25
UNREADABLE = Observed("its answer could not be read", kind=Kind.NOT_READABLE)
TEXTS = ("got", "expected", "detail", "where")


class Lost(Finding):
    """The kernel has ended or was ended; `reason` says why, as the end of a sentence."""

    def __init__(self, reason: str):
        super().__init__(f"its code {reason}", kind=Kind.STOPPED)
        self.reason = reason
        self.outputs: list[dict] = []


@dataclass
class Conversation:
    """With a kernel of its own, until `close`."""

    kernel: WarmKernel
    limits: Limits
    deadline: float  # of the submission, on the monotonic clock
    lost: Lost | None = field(default=None, init=False)
    timed_out: bool = field(default=False, init=False)  # whether it was lost to a limit of time

    def __post_init__(self) -> None:
        self._channel = self.kernel.channel
        self._channel.socket.settimeout(SECONDS_TO_SEND)
        self._poll = select.poll()
        self._poll.register(self._channel.socket, select.POLLIN)
        self._number = 0
        self._next_look = time.monotonic() + SECONDS_BETWEEN_LOOKS

    def close(self) -> None:
        self.kernel.kill()

    def run(self, source: str) -> list[dict]:
        """The outputs of a cell; raises Lost, with the outputs so far, when there is no kernel left."""
        outputs = Outputs()
        self._send(RUN, [source.encode("utf-8", "replace")])
        try:
            for message in self._messages(self.limits.cell, f"ran longer than {self.limits.cell:g} s"):
                if message.kind == DONE:
                    break
                if message.kind == OUTPUT:
                    outputs.take(*_output(message))
        except Lost as lost:
            lost.outputs = outputs.cells()
            raise
        return outputs.cells()

    def look_up(self, name: str) -> tuple[bool, object]:
        """Whether the student's code defines the name, and the value or a proxy of it."""
        found = self._request({"look up": name})
        if not isinstance(found, tuple) or len(found) != 2:
            raise Finding("could not be looked up", where=name, kind=Kind.NOT_EXAMINED)
        return found[0] is True, found[1]

    def perform(self, task: str, name: str, answer: Remote, *details: object) -> object:
        """The value of a task performed beside the answer, or the Finding that it raised there."""
        return self._request({"task": task, "arguments": [name, answer, *details]})

    def _request(self, request: dict) -> object:
        lent: list[Callable] = []
        self._send(REQUEST, pack(request, lambda value: refer(value, lent)))
        late = f"did not return within {self.limits.call:g} s: is there an endless loop?"
        for message in self._messages(self.limits.call, late):
            if message.kind == QUESTION:
                self._answer(message, lent)
            elif message.kind == REPLY:
                return self._value(message, lent)
        raise AssertionError("messages end only by raising Lost")

    def _value(self, message: Message, lent: list[Callable]) -> object:
        try:
            reply = unpack(message.frames, lambda item: proxy(self, item))
        except WireError as error:
            raise finding_of(replace(UNREADABLE, detail=str(error))) from None
        if not isinstance(reply, dict):
            raise finding_of(UNREADABLE)
        if "finding" in reply:
            raise finding_of(_observed(reply["finding"]))
        if "value" not in reply:
            raise Finding(f"looking at it raised {printable(str(reply.get('error')))}", kind=Kind.NOT_EXAMINED)
        set_modes(lent, reply.get("modes"))
        return reply["value"]

    def _answer(self, message: Message, lent: list[Callable]) -> None:
        """Call a function of an exam for the student's code, and send back what it returns."""
        try:
            value = call_lent(lent, unpack(message.frames, lambda item: proxy(self, item)))
            frames = pack({"value": value}, lambda value: refer(value, lent))
        except Exception as error:
            reply = {"error": type(error).__name__, "message": str(error)[:400]}
            frames = pack(reply, lambda value: refer(value, lent))
        self._send(ANSWER, frames, message.number)

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
        """Messages in reply to what was sent last; Lost is raised when the time is up or the kernel has ended."""
        until = time.monotonic() + seconds
        while True:
            try:
                message = self._channel.next_message()
                if message is None and self._poll.poll(SECONDS_BETWEEN_LOOKS * 1000):
                    self._channel.read()
            except Garbled:
                self._lose("sent something that cannot be read")
            except (EOFError, OSError):
                self._lose_ended()
            if message is not None and message.number == self._number:
                yield message
            self._look_after(until, late)

    def _look_after(self, until: float, late: str) -> None:
        now = time.monotonic()
        if now > until or now > self.deadline:
            self.timed_out = True
            whole = f"ran into the limit of {self.limits.submission:g} s for a whole submission"
            self._lose(late if now > until else whole)
        if now > self._next_look:
            self._next_look = now + SECONDS_BETWEEN_LOOKS
            self._look_after_kernel()

    def _look_after_kernel(self) -> None:
        self.kernel.hold_to_limits()
        if self.kernel.ended_because:
            self._lose(f"was stopped because {self.kernel.ended_because}")
        if not self.kernel.alive():
            self._lose_ended()

    def _lose_ended(self) -> None:
        self._lose("ended the kernel: does it exit the process or use up the memory?")

    def _lose(self, reason: str) -> None:
        self.lost = Lost(reason)
        self.kernel.kill()
        raise self.lost


def _observed(fields: object) -> Observed:
    """What the student's process says of an answer: known fields and texts alone, made harmless for a terminal."""
    try:
        return Observed(**{name: printable(fields[name]) for name in TEXTS}, kind=Kind(fields["kind"]))
    except (AttributeError, KeyError, TypeError, ValueError):
        return UNREADABLE


def _output(message: Message) -> tuple[str, dict]:
    """The kind and the content of an output; of one that cannot be read, nothing."""
    try:
        kind, content = json.loads(message.frames[0])
    except (ValueError, IndexError, TypeError, RecursionError):
        return "", {}
    return (kind, content) if isinstance(kind, str) and isinstance(content, dict) else ("", {})
