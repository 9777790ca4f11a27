"""Answers of any kind at all end in failed criteria with a sentence, and the next criterion runs unharmed."""

import os
import signal
import sys

import pytest
import torch

from autograder.exams import EXAMS
from course_lib.checks import CheckFailed, check
from course_lib.nn.attention import gram_attention

EXAM = EXAMS["gram_attention"]


class Liar(torch.Tensor):
    """A tensor that says it equals everything and has whatever shape one likes."""

    def __eq__(self, other):
        return torch.tensor(True)

    @property
    def shape(self):
        return torch.Size([1])

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        return torch.tensor(True)


class Impostor:
    """Not a tensor, but its class claims to be one."""

    __class__ = torch.Tensor


class Unprintable(Exception):
    def __str__(self):
        raise RuntimeError("no")


def exits(X):
    sys.exit()


def interrupts(X):
    raise KeyboardInterrupt


def recurses(X):
    return recurses(X)


def complains(X):
    raise Unprintable


def generates(X):
    yield X


ODD = {
    "None": None,
    "text": "X @ X.T @ X",
    "a number": 7,
    "a type": torch.Tensor,
    "returns None": lambda X: None,
    "returns text": lambda X: "X",
    "returns a liar": lambda X: torch.zeros(3).as_subclass(Liar),
    "returns an impostor": lambda X: Impostor(),
    "a generator": generates,
    "huge": lambda X: torch.zeros(1).expand(10**6, 10**6),
    "empty": lambda X: X[:0],
    "nan": lambda X: X * float("nan"),
    "infinite": lambda X: X / 0,
    "complex": lambda X: (X @ X.T @ X).to(torch.complex64),
    "integers": lambda X: (X @ X.T @ X).long(),
    "another device": lambda X: (X @ X.T @ X).to("meta"),
    "sparse": lambda X: (X @ X.T @ X).to_sparse(),
    "recursion": recurses,
    "SystemExit": exits,
    "KeyboardInterrupt": interrupts,
    "an error that cannot be printed": complains,
    "too few arguments": lambda: None,
    "a dict": lambda X: {"output": X},
}


@pytest.mark.parametrize("answer", ODD.values(), ids=ODD.keys())
def test_odd_answers_fail_with_a_sentence(answer):
    verdict = EXAM.grade(answer)
    values = verdict.criteria[0]
    assert values.score == 0
    assert values.message
    assert "could not be examined" not in values.message
    assert "Traceback" not in str(verdict)
    with pytest.raises(CheckFailed):
        check("gram_attention", answer)


@pytest.mark.parametrize("exercise", EXAMS)
def test_every_exam_survives_odd_answers(exercise):
    """A quarter of them for each exam, in turn, so that every one meets many exams."""
    turn = list(EXAMS).index(exercise) % 4
    for answer in list(ODD.values())[turn::4]:
        assert EXAMS[exercise].grade(answer).score < EXAMS[exercise].points


def test_parameters_are_tensors_too():
    assert EXAM.grade(lambda X: torch.nn.Parameter(X @ X.T @ X)).score == EXAM.points


def test_flood_of_output_is_cut(capsys):
    def chatty(X):
        print("x" * 5_000_000)
        return X @ X.T @ X

    assert EXAM.grade(chatty).score == EXAM.points
    shown = capsys.readouterr().out
    assert len(shown) < 200_000  # 10,000 for each call, where millions are printed
    assert "the rest is left out" in shown


def test_global_settings_are_restored():
    def meddles(X):
        torch.set_default_dtype(torch.float64)
        torch.set_grad_enabled(False)
        torch.set_num_threads(3)
        torch.manual_seed(0)
        torch.use_deterministic_algorithms(True)
        torch.set_default_device("meta")
        return X.sum()

    torch.manual_seed(123)
    before = torch.get_rng_state(), torch.get_num_threads()
    EXAM.grade(meddles)
    assert torch.get_default_dtype() == torch.float32
    assert torch.is_grad_enabled()
    assert torch.get_default_device() == torch.device("cpu")
    assert not torch.are_deterministic_algorithms_enabled()
    assert torch.equal(torch.get_rng_state(), before[0])
    assert torch.get_num_threads() == before[1]
    assert EXAM.grade(gram_attention).score == EXAM.points


def test_a_time_limit_stops_the_whole_exercise():
    """nbgrader interrupts a cell that runs too long: that must end it, not only one criterion."""
    calls, before = [], signal.getsignal(signal.SIGINT)

    def hangs(X):
        calls.append(1)
        os.kill(os.getpid(), signal.SIGINT)
        while True:
            pass

    with pytest.raises(KeyboardInterrupt):
        EXAM.grade(hangs)
    assert calls == [1]
    assert signal.getsignal(signal.SIGINT) is before


def test_inputs_changed_in_place_harm_no_other_criterion():
    def changes(X):
        result = X @ X.T @ X
        X.zero_()
        return result

    verdict = EXAM.grade(changes)
    assert [criterion.passed for criterion in verdict.criteria] == [True, False]
    assert "the argument X, after the call" in verdict.criteria[1].message
