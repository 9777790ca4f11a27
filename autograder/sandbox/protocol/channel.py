"""Message framing on the socket between the examiner and a student's process: a kind, a number and frames of bytes.

A reply has the number of the message that it replies to. A receiver buffers about one message, at most `LARGEST` bytes;
a sender whose receiver does not read blocks until the socket's time limit.
"""

import socket
import struct
import threading
from collections.abc import Sequence
from typing import NamedTuple

START, RUN, REQUEST, ANSWER = b"s", b"c", b"q", b"a"  # from the examiner; ANSWER carries what a callback returned
READY, FAILED = b"!", b"x"  # replies to START: the process is ready, or it failed
OUTPUT, DONE = b"o", b"d"  # replies to RUN: an output of the cell, and its end
REPLY, QUESTION = b"r", b"?"  # replies to REQUEST: its result, or a callback that the examiner must answer first
LARGEST = 40_000_000  # bytes of a message: MOST_BYTES of tensors, LARGEST_TREE of JSON, the frames' lengths
MOST_FRAMES = 10_000  # of a message: one for each tensor, and the JSON
_HEAD = struct.Struct("!cII")  # kind, number, count of frames
_PIECE = 2**18  # bytes of one recv: a large tensor takes some hundred calls


class MalformedMessage(Exception):
    """The bytes received are not a message, or one larger than `LARGEST`."""


class Message(NamedTuple):
    kind: bytes
    number: int
    frames: list[bytes]


class Channel:
    """One end of the socket; threads may send at the same time."""

    def __init__(self, line: socket.socket):
        self.socket = line
        self._received = bytearray()
        self._awaited = _HEAD.size  # buffered bytes that the next parse needs: the head, then the lengths, then all
        self._sending = threading.Lock()

    def send(self, kind: bytes, number: int, frames: Sequence[bytes] = ()) -> None:
        """Send the whole message; raises an OSError after the socket's time limit."""
        lengths = struct.pack(f"!{len(frames)}I", *map(len, frames))
        with self._sending:
            self.socket.sendall(b"".join((_HEAD.pack(kind, number, len(frames)), lengths, *frames)))

    def receive(self) -> Message:
        """Wait for the next message; raises EOFError when the other side has closed the socket."""
        while (message := self.next_message()) is None:
            self.read()
        return message

    def read(self) -> None:
        """Buffer what has arrived; blocks while there is nothing."""
        piece = self.socket.recv(_PIECE)
        if not piece:
            raise EOFError
        self._received += piece

    def next_message(self) -> Message | None:
        """The next message, or None while it is incomplete."""
        if len(self._received) < self._awaited:
            return None
        kind, number, count = _HEAD.unpack_from(self._received)
        begin = _HEAD.size + 4 * count
        if count > MOST_FRAMES:
            raise MalformedMessage
        if len(self._received) < begin:
            self._awaited = begin
            return None
        lengths = struct.unpack_from(f"!{count}I", self._received, _HEAD.size)
        self._awaited = begin + sum(lengths)
        if self._awaited > LARGEST:
            raise MalformedMessage
        if len(self._received) < self._awaited:
            return None
        frames = []
        for length in lengths:
            frames.append(bytes(self._received[begin : begin + length]))
            begin += length
        del self._received[:begin]
        self._awaited = _HEAD.size
        return Message(kind, number, frames)
