"""What a student's process may put on the line to the examiner: whole messages of every kind, and damaged bytes.

Each drawn value is a stream of bytes. Under it lie messages that the examiner would take, since noise alone is
refused at its first byte.
"""

import json
import os
import socket
import struct

from hypothesis import strategies as st

from autograder.examiner.session import TEXTS
from autograder.sandbox.protocol import types as wire
from autograder.sandbox.protocol.channel import _HEAD, DONE, OUTPUT, QUESTION, REPLY, Channel
from course_lib.cards.observed import Kind

CASES = int(os.environ.get("FUZZ_CASES", "400"))  # of the cheapest property; what costs more gets fewer
FITS = 100_000  # bytes that a socket takes at once, though nobody reads

scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.sampled_from([2**31, 2**63, -(2**63), 10**400, 2**61 - 1]),
    st.floats(),
    st.text(max_size=12),
    st.sampled_from(["\ud800", "\x1b]0;x\x07", "c__main__\nos\n.", "f", "value", "__class__", "x" * 5000]),
)
arrays = st.tuples(
    st.sampled_from("xag"),
    st.one_of(st.sampled_from([*wire.DTYPES, "<f8", "<c16", "|b1", "|O8", "<M8"]), scalars),
    st.one_of(st.lists(st.integers(-2, 5), max_size=4), st.lists(st.integers(-2, 2**40), max_size=4), scalars),
    st.integers(-2, 3),
).map(list)
references = st.tuples(
    st.just("r"),
    st.sampled_from(["mine", "yours"]),
    st.one_of(st.integers(-2, 3), scalars),
    st.sampled_from([*wire.KINDS, "eval"]),
    scalars,
).map(list)
trees = st.recursive(
    st.one_of(scalars, arrays, references, st.just(["e"]), st.just(["k", "float32"])),
    lambda parts: st.one_of(
        st.tuples(st.sampled_from("ltsdckxagomr?"), st.lists(parts, max_size=4)).map(lambda t: [t[0], *t[1]]),
        st.lists(st.tuples(parts, parts).map(list), max_size=3).map(lambda pairs: ["d", *pairs]),
        st.lists(parts, max_size=3),
        st.dictionaries(st.text(max_size=3), parts, max_size=2),
        st.integers(1, 200).flatmap(lambda levels: parts.map(lambda part: _nested(part, levels))),
    ),
    max_leaves=12,
)


def _nested(part: object, levels: int) -> object:
    for _ in range(levels):
        part = ["l", part]
    return part


def table(fields: dict[str, object]) -> object:
    """A dict as the wire has it."""
    return ["d", *([name, part] for name, part in fields.items())]


def _mostly(likely: object) -> st.SearchStrategy[object]:
    return st.one_of(st.just(likely), st.just(likely), trees)


findings = st.fixed_dictionaries(
    {**dict.fromkeys(TEXTS, _mostly("a text")), "kind": st.one_of(st.sampled_from([*Kind]).map(str), trees)}
).map(table)
replies = st.one_of(
    trees.map(lambda part: table({"value": part})),
    st.tuples(st.booleans(), trees).map(lambda pair: table({"value": ["t", *pair]})),
    st.tuples(trees, trees).map(lambda pair: table({"value": pair[0], "modes": pair[1]})),
    findings.map(lambda part: table({"finding": part})),
    trees.map(lambda part: table({"finding": part})),
    trees.map(lambda part: table({"error": part})),
    trees,
)
questions = st.one_of(
    st.fixed_dictionaries(
        {
            "number": st.one_of(st.integers(-1, 2), trees),
            "method": st.one_of(st.sampled_from(["", "forward", "encode", "train"]), trees),
            "arguments": st.one_of(st.lists(trees, max_size=3).map(lambda parts: ["t", *parts]), trees),
            "options": st.one_of(st.just(["d"]), st.just(["d", ["x", 1]]), trees),
            "training": scalars,
            "gradients": scalars,
        }
    ).map(table),
    st.fixed_dictionaries(
        {
            "stand in": _mostly("f"),
            "seed": _mostly(0),
            "constructor": _mostly(["t", ["l"], ["d"]]),
            "method": _mostly("forward"),
            "training": scalars,
            "inputs": st.one_of(st.tuples(trees, trees, trees).map(lambda parts: ["t", *parts]), trees),
        },
        optional={"gradients": trees},
    ).map(table),
    trees,
)
outputs = st.tuples(
    st.one_of(st.sampled_from(["stream", "display_data", "execute_result", "error", "update_display_data"]), trees),
    st.one_of(
        st.fixed_dictionaries({"name": _mostly("stdout"), "text": _mostly("x")}),
        st.fixed_dictionaries({"data": _mostly({"text/plain": "x"}), "metadata": _mostly({}), "transient": trees}),
        st.fixed_dictionaries({"ename": trees, "evalue": trees, "traceback": trees}),
        trees,
    ),
).map(list)
KINDS_OF = {REPLY: replies, QUESTION: questions, OUTPUT: outputs, DONE: trees}


@st.composite
def messages(draw) -> bytes:
    """One whole message, with a number that may be the one that is waited for."""
    kind = draw(st.sampled_from([*KINDS_OF, REPLY, b"!"]))
    number = draw(st.sampled_from([1, 1, 1, 2, 2, 3, 0, 2**32 - 1]))
    tree = json.dumps(draw(KINDS_OF.get(kind, trees))).encode()
    frames = draw(
        st.one_of(st.just([tree]), st.lists(st.binary(max_size=40), max_size=3).map(lambda more: [tree, *more]))
    )
    return message(kind, number, frames)


def message(kind: bytes, number: int, frames: list[bytes]) -> bytes:
    """The bytes that a channel sends."""
    lengths = struct.pack(f"!{len(frames)}I", *map(len, frames))
    return b"".join((_HEAD.pack(kind, number, len(frames)), lengths, *frames))


@st.composite
def streams(draw) -> bytes:
    """Messages one after another: whole, or cut, repeated, in another order, with bits turned or a false length."""
    whole = [part for part in draw(st.lists(messages(), max_size=5)) if len(part) < FITS // 10]
    for edit in draw(st.lists(st.sampled_from(["cut", "repeat", "swap", "turn", "announce", "noise"]), max_size=2)):
        if not whole:
            break
        place = draw(st.integers(0, len(whole) - 1))
        part = whole[place]
        at = draw(st.integers(0, max(0, len(part) - 1)))
        if edit == "cut":
            whole[place] = part[:at]
        elif edit == "repeat":
            whole[place] = part * draw(st.integers(2, 4))
        elif edit == "swap":
            whole[place], whole[0] = whole[0], part
        elif edit == "turn":
            whole[place] = part[:at] + bytes([part[at] ^ draw(st.integers(1, 255))]) + part[at + 1 :] if part else part
        elif edit == "announce":
            whole[place] = _HEAD.pack(draw(st.sampled_from([REPLY, OUTPUT])), 1, draw(st.integers(0, 2**32 - 1))) + part
        else:
            whole.insert(place, draw(st.binary(max_size=60)))
    return b"".join(whole)[:FITS]


class Peer:
    """A kernel without a process: what it will say is on the line before anybody asks."""

    ended_because = None

    def __init__(self, says: bytes, hangs_up: bool = True):
        own, self._other = socket.socketpair()
        self.channel = Channel(own)
        self._other.settimeout(5)
        self._other.sendall(says)
        if hangs_up:
            self._other.shutdown(socket.SHUT_WR)
        self.killed = False

    def alive(self) -> bool:
        return not self.killed

    def enforce_limits(self) -> None:
        return

    def zygote_answers(self) -> bool:
        return True

    def kill(self) -> None:
        self.killed = True
        self.channel.socket.close()
        self._other.close()
