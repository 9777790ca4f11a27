"""Leave an answer that may not use everything alone: no other process can do its work for it."""

import os
import resource
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from course_lib.checks.forbidden.doubts import Doubt

_ALL_OTHERS = -1  # as process 1 of its namespace: every other process in it


@contextmanager
def left_alone(doubts: set[Doubt]) -> Iterator[None]:
    """Stop the notebook's other processes meanwhile; note them, children that ended, and threads, which go on."""
    if len(sys._current_frames()) > 1:
        doubts.add(Doubt.THREADS)
    before, stopped = _faults_of_children(), _has_children() and _signal_others(signal.SIGSTOP)
    try:
        yield
    finally:
        if stopped:
            _signal_others(signal.SIGCONT)
        if stopped or _faults_of_children() != before:
            doubts.add(Doubt.PROCESSES)


def _has_children() -> bool:
    """Whether there is any other process: process 1 is the parent of those that lost their own."""
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


def _signal_others(number: int) -> bool:
    """Whether there are any; outside of the sandbox none is known."""
    if os.getpid() != 1:
        return False
    try:
        os.kill(_ALL_OTHERS, number)
    except ProcessLookupError:
        return False
    return True


def _faults_of_children() -> int:
    """Page faults of all children that have ended: each has some, however short its life."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt
