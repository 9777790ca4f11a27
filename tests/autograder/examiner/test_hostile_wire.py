"""A process that says whatever it likes: the examiner gets a value, a finding or the loss of the kernel, in time."""

import json
import pickle
import resource
import sys
import time
from contextlib import closing, contextmanager

import pytest
import torch
from builders.hostile_wire import CASES, Peer, message, streams, table
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from nbformat import validate
from torch import nn

from autograder.examiner.assignment import Limits
from autograder.examiner.session import TEXTS, Lost, Session, _output
from autograder.sandbox.protocol.channel import LARGEST, OUTPUT, QUESTION, REPLY, Message
from autograder.sandbox.protocol.encode import pack
from autograder.sandbox.protocol.types import Reference
from course_lib.checks import Finding

LIMITS = Limits(cell=2, call=2)
MEGABYTE = 2**20
FORBIDDEN = (
    "pickle.find_class",
    "os.system",
    "os.exec",
    "os.fork",
    "os.posix_spawn",
    "subprocess.Popen",
    "marshal.loads",
)
seen: list[str] | None = None


def _watch(event, arguments):
    if seen is not None and (event in FORBIDDEN or (event == "open" and set(str(arguments[1])) & set("wax+"))):
        seen.append(event)


sys.addaudithook(_watch)


@contextmanager
def nothing_runs():
    """No event by which bytes could become code, a process or a file."""
    global seen
    seen = []
    try:
        yield
        assert seen == []
    finally:
        seen = None


class Model(nn.Module):
    callback_methods = ("encode",)

    def forward(self, x):
        return x + 1

    def encode(self, x):
        return 2 * x


class StandIn(nn.Module):
    def __init__(self, size=2):
        super().__init__()
        self.linear = nn.Linear(size, size)

    def forward(self, x):
        return self.linear(x)


def run_a_cell(session):
    for output in session.run("x = 1"):
        validate(output, ref="output", version=4)


def look_up(session):
    defined, _ = session.look_up("f")
    assert defined in (True, False)


def hand_over(session):
    session._request({"task": "call", "arguments": ["f", [torch.ones(2)], [torch.softmax, Model()]]})


def put_function(session):
    session.put_stand_in("f", lambda x: x)


def put_module(session):
    session.put_stand_in("f", StandIn)


STEPS = [run_a_cell, look_up, hand_over, put_function, put_module]


@contextmanager
def session_with(says, hangs_up=True, limits=LIMITS):
    with closing(Session(Peer(says, hangs_up), limits, time.monotonic() + 600)) as session:
        yield session


def _take(step, session):
    """Only these come out: nothing, a Finding, or always the same Lost."""
    before = session.lost
    try:
        step(session)
    except Lost as lost:
        found: Finding | None = lost
    except Finding as finding:
        found = finding
    else:
        found = None
    assert before is None or found is before
    assert isinstance(found, Lost) == session.kernel.killed == (session.lost is not None)
    assert len(str(found)) < MEGABYTE


@settings(
    max_examples=max(25, CASES // 4),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(streams(), st.lists(st.sampled_from(STEPS), min_size=1, max_size=3))
def test_whatever_is_said_ends_in_a_value_a_finding_or_the_loss_of_the_kernel(says, steps):
    with session_with(says) as session:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        with nothing_runs():
            for step in steps:
                _take(step, session)
        assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 300 * 1024


@pytest.mark.parametrize("says", [b"", b"r", message(REPLY, 1, [b'["d"]'])[:-1], b"o" + bytes(7) + b"\1" + bytes(4)])
@pytest.mark.parametrize("step", [run_a_cell, look_up])
def test_a_message_that_never_ends_is_given_up(says, step):
    limits = Limits(cell=0.1, call=0.1)
    with session_with(says, hangs_up=False, limits=limits) as session, pytest.raises(Lost, match=r"0\.1 s"):
        step(session)


def reply(tree, *frames):
    return message(REPLY, 1, [json.dumps(tree).encode(), *frames])


PROXY = ["r", "mine", 0, "object", "Text"]


@pytest.mark.parametrize(
    "says",
    [
        reply(table({"finding": ["x", "float32", [1], 0]}), bytes(4)),
        reply(table({"finding": ["a", "<f4", [1], 0]}), bytes(4)),
        reply(table({"finding": PROXY})),
        reply(table({"finding": table({name: ["l", PROXY] for name in TEXTS})})),
        reply(table({"error": PROXY})),
        reply(table({"error": ["l", *["x" * 50] * 1_000]})),
        reply(table({"value": 1, "error": 2, "finding": 3})),
    ],
    ids=["tensor", "array", "proxy", "lists of proxies", "proxy as error", "long error", "all at once"],
)
def test_what_is_no_finding_is_said_to_be_unreadable(says):
    with session_with(says, hangs_up=False) as session:
        with pytest.raises(Finding, match="its answer could not be read") as found:
            session.look_up("f")
        assert not isinstance(found.value, Lost)


def question(number, *arguments, to=1):
    """A call of a callback, as the student's process packs it."""
    call = {"number": number, "method": "", "arguments": arguments, "options": {}, "training": True, "gradients": False}
    return message(QUESTION, to, pack(call, lambda value: Reference(0, "object", "Mine")))


def test_a_callback_runs_no_longer_than_the_call_it_is_for():
    def forever(n):
        for _ in range(n):
            pass

    late, limits = pytest.raises(Lost, match=r"did not return within 0\.3 s"), Limits(cell=1, call=0.3)
    with session_with(question(0, 10**15), hangs_up=False, limits=limits) as session, late:
        session._request({"task": "call", "arguments": ["f", 1, [forever]]})


def test_a_callback_that_uses_an_object_of_the_students_is_told_so_at_once():
    """The student's process waits for the callback, and could not answer what is asked of its object."""
    asked = []

    def given(x):
        asked.append(type(x).__name__)
        return x.shape

    with session_with(question(0, object()) + reply(table({"value": 7})), hangs_up=False) as session:
        assert session._request({"task": "call", "arguments": ["f", 1, [given]]}) == 7
        assert asked == ["Mine"]
        asking = session.kernel._other
        asking.settimeout(5)
        assert b"takes data alone" in asking.recv(100_000)


def test_an_output_that_would_fill_the_memory_is_left_out():
    many = b'["stream", {"name": "stdout", "text": [' + b",".join([b'{"a":0}'] * 4_000_000) + b"]}]"
    assert len(many) < LARGEST
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    kind, content = _output(Message(OUTPUT, 1, [many]))
    assert kind == "stream"
    assert "left out here" in content["text"]
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100 * 1024


def test_pickled_bytes_stay_bytes():
    class Payload:
        def __reduce__(self):
            return exec, ("raise SystemExit('it ran')",)

    data = pickle.dumps(Payload())
    says = reply(table({"value": ["t", True, ["x", "uint8", [len(data)], 0]]}), data)
    with session_with(says) as session:
        with nothing_runs():
            defined, value = session.look_up("f")
        assert defined
        assert bytes(value.tolist()) == data
