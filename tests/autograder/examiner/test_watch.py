"""What the examiner learns of calls that may not use everything, and of a watch that was tampered with."""

import torch

from course_lib.checks.forbidden import Doubt
from course_lib.checks.student_call import call

PATHS = ["torch.softmax"]


def asked(session, name="answer"):
    _, answer = session.look_up(name)
    return call("soft", answer, [torch.ones(2)], PATHS)


def test_the_watch_holds_until_code_replaces_it(session):
    assert session.watch_holds("soft")
    session.run(
        "import contextlib\n"
        "import course_lib.checks.student_call as student_call\n"
        "student_call.forbidding = lambda *given: contextlib.nullcontext()"
    )
    assert not session.watch_holds("soft")


def test_a_profiler_left_running_is_told(session):
    session.run("import torch\nprofiler = torch.profiler.profile()\nprofiler.start()\nanswer = lambda x: x + 1")
    assert asked(session).tolist() == [2, 2]
    assert session.take_doubts() == [Doubt.PROFILER]
    assert session.watch_holds("soft")


def test_processes_are_paused_meanwhile_and_told(session):
    session.run("answer = lambda x: x + 1")
    assert asked(session).tolist() == [2, 2]
    assert session.take_doubts() == []
    session.run("import os, signal\nif (child := os.fork()) == 0:\n    while True: signal.pause()")
    assert asked(session).tolist() == [2, 2]
    assert session.take_doubts() == [Doubt.PROCESSES]
    assert session.take_doubts() == []
    session.run("os.kill(child, 9); os.waitpid(child, 0)")
    assert asked(session).tolist() == [2, 2]
    assert session.take_doubts() == []


def test_threads_are_told_and_their_operators_seen(session):
    session.run(
        "import threading, torch\n"
        "done = threading.Event()\n"
        "threading.Thread(target=done.wait, daemon=True).start()\n"
        "answer = lambda x: x + 1"
    )
    assert asked(session).tolist() == [2, 2]
    assert session.take_doubts() == [Doubt.THREADS]
