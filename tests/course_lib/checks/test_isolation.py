import contextlib
import os
import signal
import sys
import threading

import pytest
import torch

from course_lib.checks.isolation import MOST_OUTPUT, isolated


def settings():
    return (
        torch.get_default_dtype(),
        torch.get_default_device(),
        torch.is_grad_enabled(),
        torch.get_num_threads(),
        torch.are_deterministic_algorithms_enabled(),
    )


@pytest.mark.parametrize("raises", [False, True])
def test_settings_of_torch_are_restored(raises):
    before, state, interrupts = settings(), torch.get_rng_state(), signal.getsignal(signal.SIGINT)

    with contextlib.suppress(ValueError), isolated():
        torch.set_default_dtype(torch.float64)
        torch.set_default_device("meta")
        torch.set_grad_enabled(False)
        torch.set_num_threads(before[3] + 1)
        torch.use_deterministic_algorithms(True)
        torch.manual_seed(1)
        assert all(new != old for new, old in zip(settings(), before, strict=True))
        if raises:
            raise ValueError
    assert settings() == before
    assert torch.equal(torch.get_rng_state(), state)
    assert signal.getsignal(signal.SIGINT) is interrupts


def test_little_output_passes_and_much_is_cut(capsys):
    with isolated():
        print("hello")
    assert capsys.readouterr().out == "hello\n"
    with isolated():
        for _ in range(5):
            sys.stdout.write("x" * (MOST_OUTPUT // 2 - 1))
    printed = capsys.readouterr().out
    assert printed.count("x") == MOST_OUTPUT
    assert printed.count("the rest is left out") == 1


def test_what_goes_to_stderr_is_dropped(capsys):
    with isolated():
        print("an error?", file=sys.stderr)
    assert capsys.readouterr() == ("", "")


def test_an_interrupt_from_outside_is_told_from_one_that_the_code_raises():
    with pytest.raises(KeyboardInterrupt), isolated() as own:
        raise KeyboardInterrupt
    assert own == []
    with pytest.raises(KeyboardInterrupt), isolated() as arrived:
        os.kill(os.getpid(), signal.SIGINT)
    assert arrived == [signal.SIGINT]


def test_it_works_in_a_thread(capsys):
    def run():
        with isolated() as arrived:
            print(arrived)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert capsys.readouterr().out == "[]\n"
