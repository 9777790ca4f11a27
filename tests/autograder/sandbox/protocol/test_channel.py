"""Message framing between examiner and student: messages arrive whole, and malformed bytes end the session."""

import socket

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from autograder.sandbox.protocol.channel import LARGEST, MOST_FRAMES, OUTPUT, REPLY, Channel, MalformedMessage, Message
from autograder.sandbox.protocol.encode import pack
from autograder.sandbox.protocol.types import WireError


@pytest.fixture
def line():
    one, other = socket.socketpair()
    with one, other:
        yield Channel(one), Channel(other)


def test_messages_arrive_in_order_and_whole(line):
    here, there = line
    here.send(OUTPUT, 7, [b"", b"abc"])
    here.send(REPLY, 2**32 - 1)
    assert there.receive() == Message(OUTPUT, 7, [b"", b"abc"])
    assert there.receive() == Message(REPLY, 2**32 - 1, [])


def test_a_message_is_there_when_its_last_byte_is(line):
    here, there = line
    one, other = socket.socketpair()
    with one, other:
        Channel(one).send(OUTPUT, 1, [b"abc", b"d"])
        whole = other.recv(1000)
    for number, byte in enumerate(whole, 1):
        here.socket.send(bytes([byte]))
        there.read()
        message = there.next_message()
        assert (message is not None) == (number == len(whole))
    assert message.frames == [b"abc", b"d"]


def test_the_other_side_can_hang_up(line):
    here, there = line
    here.socket.close()
    with pytest.raises(EOFError):
        there.receive()


@pytest.mark.parametrize(
    "head",
    [b"o" + b"\0" * 4 + (MOST_FRAMES + 1).to_bytes(4, "big"), b"o" + b"\0" * 7 + b"\1" + LARGEST.to_bytes(4, "big")],
)
def test_what_announces_too_much_is_not_waited_for(line, head):
    here, there = line
    here.socket.send(head)
    with pytest.raises(MalformedMessage):
        there.receive()


@given(st.lists(st.binary(max_size=60), max_size=8))
def test_noise_is_read_as_messages_or_refused(pieces):
    one, other = socket.socketpair()
    with one, other:
        channel = Channel(other)
        for piece in filter(None, pieces):
            one.sendall(piece)
            channel.read()
            try:
                while (message := channel.next_message()) is not None:
                    assert isinstance(message, Message)
            except MalformedMessage:
                return


def test_frames_beyond_number_cannot_be_packed():
    with pytest.raises(WireError, match="tensors"):
        pack([torch.ones(1)] * MOST_FRAMES, lambda value: None)
