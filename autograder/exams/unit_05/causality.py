"""A test of causality, written by the student: what it catches, and whether it cries wolf."""

import torch

from autograder.exam_types import Bug, BugsCaught, NoFalseAlarm, StudentTestsExam
from autograder.exam_types.exam import Misconception
from autograder.exams.unit_05.causal_models import BUGS, CORRECT, model


def _reach(f, batch=2, n=5, d=4, size=1.0):
    """reach[b, j, i]: whether output i of sequence b changes when token j does."""
    x = torch.randn(batch, n, d)
    before = f(x)
    moved = []
    for j in range(n):
        other = x.clone()
        other[:, j] += size * torch.randn(batch, d)
        moved.append(~torch.isclose(f(other), before, rtol=1e-4, atol=1e-5).all(-1))
    return torch.stack(moved, 1)


def reference(f):
    """Output i moves with tokens 0 to i, with each of them, and with no other."""
    reach = _reach(f)
    n = reach.shape[-1]
    assert torch.equal(reach, torch.ones(n, n).triu().bool().expand_as(reach))


def _no_leak(f, **sizes):
    return not _reach(f, **sizes).tril(-1).any()


def _last_token_changed(f, **options):
    """Only the last token is changed, and only earlier outputs are looked at."""
    x = torch.randn(2, 6, 4)
    other = x.clone()
    other[:, -1] += 1.0
    assert torch.allclose(f(x)[:, :-1], f(other)[:, :-1], atol=1e-5), "the future leaks"


def _first_output_only(f):
    x, other = torch.randn(2, 2, 5, 4)
    other[:, 0] = x[:, 0]
    assert torch.allclose(f(x)[:, 0], f(other)[:, 0], atol=1e-5)


def _exactly(f):
    x = torch.randn(12, 5, 4)
    before = f(x)
    for j in range(5):
        other = x.clone()
        other[:, j] += torch.randn(12, 4)
        after = f(other)
        assert torch.equal(after[:, :j], before[:, :j])
        assert not (after[:, j:] == before[:, j:]).all(-1).any()


def _nan_in_the_future(f):
    x = torch.randn(2, 5, 4)
    x[:, 3:] = float("nan")
    assert f(x)[:, :3].isfinite().all()


def _wrong_way(f):
    return not _reach(f).triu(1).any()


def _one_sequence(f):
    reach = _reach(f, batch=1)
    return torch.equal(reach, torch.ones(5, 5).triu().bool()[None])


def _by_loops(f):
    for _ in range(2):
        x = torch.randn(3, 4, 3)
        for j in range(4):
            other = x.clone()
            other[:, j] = torch.randn(3, 3)
            gap = (f(other) - f(x)).abs().amax(-1)
            for i in range(4):
                assert (gap[:, i] > 1e-4).all() if i >= j else (gap[:, i] < 1e-4).all(), (i, j)


def _returns_a_bool(f):
    reach = _reach(f, batch=3, n=4, d=5)
    return bool((reach == torch.ones(4, 4).triu().bool()).all())


def _returns_a_tensor(f):
    reach = _reach(f, n=6, size=2.0)
    return (reach == torch.ones(6, 6).triu().bool()).all()


def _leak_then_memory(f):
    x = torch.randn(2, 5, 4)
    whole = f(x)
    for i in range(5):
        cut = x.clone()
        cut[:, i + 1 :] = 0.0
        assert torch.allclose(f(cut)[:, i], whole[:, i], atol=1e-5), "sees the future"
        for j in range(i + 1):
            cut = x.clone()
            cut[:, j] = 0.0
            assert ((f(cut) - whole)[:, i].abs().amax(-1) > 1e-4).all(), "has lost the past"


def _always_alarm(f):
    raise AssertionError


def _shape_only(f):
    x = torch.randn(2, 5, 4)
    assert f(x).shape == x.shape


NO_PAST = (
    "Your test only asks that the future changes nothing; a model that has lost the past, or itself, passes too. Ask "
    "also that output i does change with every token up to i."
)

causality_test = StudentTestsExam(
    exercise="causality_test",
    covers=("A3", "C5"),
    test=reference,
    correct=CORRECT,
    bugs=tuple(Bug(description, model(answer)) for description, answer in BUGS.items()),
    criteria=(NoFalseAlarm("no alarm for correct models", 1), BugsCaught("planted bugs caught", 3)),
    misconceptions=(
        Misconception("no-past", NO_PAST, _no_leak, hint="the other half"),
        Misconception(
            "last-token-changed",
            "You change the last token only; a mask that is off by one in the middle or for another token passes. "
            "Change every token in turn.",
            _last_token_changed,
            hint="every token, every output",
        ),
        Misconception(
            "first-output-only",
            "You look at output 0 alone: look at every output.",
            _first_output_only,
            hint="every token, every output",
        ),
        Misconception(
            "exactly",
            "You ask for exact equality, so rounding sets off an alarm: allow a small difference, as torch.allclose "
            "does with atol=1e-5.",
            _exactly,
            hint="the experiment",
        ),
        Misconception(
            "nan-in-the-future",
            "You put nan into the future; 0 · nan is nan, so correct models give the alarm too. Use other numbers.",
            _nan_in_the_future,
            hint="the experiment",
        ),
        Misconception(
            "one-sequence",
            "Your batch has one sequence, so a mask for the first one only goes unnoticed. Use two or more.",
            _one_sequence,
            hint="the other half",
        ),
        Misconception(
            "test-passes-everything",
            "Your test lets every model pass, right or wrong: compare outputs before and after a change.",
            lambda f: f(torch.ones(1, 2, 2)),
            hint="the experiment",
        ),
    ),
    accepted=(_by_loops, _returns_a_bool, _returns_a_tensor, _leak_then_memory),
    shortcuts=(lambda f: None, lambda f: True, _always_alarm, _shape_only, _wrong_way),
)
