"""What a worker process does; importing it is cheap, so that the zygote starts while the worker still imports torch."""

import signal
import sys

from autograder.course.units import Unit
from autograder.examiner.assignment import Assignment
from autograder.examiner.graded import Graded
from autograder.sandbox.zygote_pool import Zygote, use_zygote, zygote


def begin_worker(unit: Unit, sandbox: str, shared: Zygote | None) -> None:
    """Ctrl-C is for the coordinator, and a worker does not outlive it.

    Workers that were forked share the coordinator's zygote; others have one each.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":
        from autograder.sandbox.inside.namespaces import die_with_parent

        die_with_parent()
    if shared is not None:
        use_zygote(unit, sandbox, shared)
    else:
        zygote(unit, sandbox)


def grade_here(data: bytes, assignment: Assignment, seed: str) -> Graded:
    """Grade a submission in this process."""
    from autograder.examiner.grade_submission import grade_submission

    return grade_submission(data, assignment, seed)
