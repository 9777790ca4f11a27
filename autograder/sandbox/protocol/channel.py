"""The line between the examiner and a student's process: messages on a stream socket, each a kind, a number and frames.

A reply has the number of what it replies to. No more than `LARGEST` bytes are held: what is not read waits with its
sender.
"""

import socket
import struct
import threading
from collections.abc import Sequence
from typing import NamedTuple

START, RUN, REQUEST, ANSWER = b"s", b"c", b"q", b"a"  # the examiner's: begin, a cell, a request, an answer
READY, FAILED = b"!", b"x"  # the process's, to the first
OUTPUT, DONE = b"o", b"d"  # to a cell
REPLY, QUESTION = b"r", b"?"  # to a request: its reply, or a question that is to be answered first
LARGEST = 40_000_000
MOST_FRAMES = 10_000
_HEAD = struct.Struct("!cII")
_PIECE = 2**18


class Garbled(Exception):
    """What has come is no message, or one that is too large."""


class Message(NamedTuple):
    kind: bytes
    number: int
    frames: list[bytes]


class Channel:
    """One end of the line."""

    def __init__(self, line: socket.socket):
        self.socket = line
        self._received = bytearray()
        self._awaited = _HEAD.size  # bytes without which there is no use in looking
        self._sending = threading.Lock()

    def send(self, kind: bytes, number: int, frames: Sequence[bytes] = ()) -> None:
        """All of it, or an OSError after the socket's time limit."""
        lengths = struct.pack(f"!{len(frames)}I", *map(len, frames))
        with self._sending:
            self.socket.sendall(b"".join((_HEAD.pack(kind, number, len(frames)), lengths, *frames)))

    def receive(self) -> Message:
        """Wait for the next message; EOFError if the other side has gone."""
        while (message := self.next_message()) is None:
            self.read()
        return message

    def read(self) -> None:
        """Take what has come, and wait if nothing has."""
        piece = self.socket.recv(_PIECE)
        if not piece:
            raise EOFError
        self._received += piece

    def next_message(self) -> Message | None:
        """The next message, if all of it has been read."""
        if len(self._received) < self._awaited:
            return None
        kind, number, count = _HEAD.unpack_from(self._received)
        begin = _HEAD.size + 4 * count
        if count > MOST_FRAMES:
            raise Garbled
        if len(self._received) < begin:
            self._awaited = begin
            return None
        lengths = struct.unpack_from(f"!{count}I", self._received, _HEAD.size)
        self._awaited = begin + sum(lengths)
        if self._awaited > LARGEST:
            raise Garbled
        if len(self._received) < self._awaited:
            return None
        frames = []
        for length in lengths:
            frames.append(bytes(self._received[begin : begin + length]))
            begin += length
        del self._received[:begin]
        self._awaited = _HEAD.size
        return Message(kind, number, frames)
