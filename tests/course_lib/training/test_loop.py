"""The loop, the progress bar and the schedule of a short training."""

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from course_lib.training.loop import ProgressBar, train, warm_up_and_down


def test_the_loop_is_adam_with_the_rate_of_each_step():
    x, y = torch.randn(8, 3), torch.randn(8, 2)
    ours, theirs = nn.Linear(3, 2), nn.Linear(3, 2)
    theirs.load_state_dict(ours.state_dict())
    optimizer = torch.optim.Adam(theirs.parameters(), lr=1.0, betas=(0.9, 0.98), eps=1e-9)
    wanted = []
    for step in range(1, 6):
        optimizer.param_groups[0]["lr"] = 0.1 * step
        loss = F.mse_loss(theirs(x), y) / 10  # so small that no gradient is cut
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        wanted.append(loss.item())
    seen = []
    losses = train(
        ours,
        [(x, y)] * 5,
        lambda model, batch: F.mse_loss(model(batch[0]), batch[1]) / 10,
        lr=lambda step: 0.1 * step,
        watch=lambda step, loss: seen.append((step, loss)),
    )
    assert losses == pytest.approx(wanted, rel=1e-5)
    assert seen == list(enumerate(losses, 1))


def test_a_wild_gradient_is_cut_to_length_one():
    model, lengths = nn.Linear(3, 1), []

    def loss_of(model, batch):
        return 1e4 * model(batch).sum()

    def watch(step, loss):
        lengths.append(torch.cat([p.grad.flatten() for p in model.parameters()]).norm().item())

    train(model, [torch.ones(2, 3)], loss_of, lr=0.1, watch=watch)
    assert lengths == [pytest.approx(1.0, rel=1e-3)]


def test_the_progress_bar_ends_full_with_the_mean_loss(capsys):
    bar = ProgressBar(steps=3, seconds=0.0)
    for step, loss in enumerate([3.0, 2.0, 1.0], 1):
        bar(step, loss)
    lines = capsys.readouterr().out.split("\r")[1:]
    assert len(lines) == 3
    assert lines[0].count("█") == 10
    assert lines[-1].startswith("█" * 30 + " step 3/3  loss 2.000")
    assert lines[-1].endswith("\n")


def test_the_shown_loss_forgets_the_first_steps(capsys):
    bar = ProgressBar(steps=40, seconds=1000.0)
    for step in range(1, 41):
        bar(step, 2.0 if step <= 20 else 0.0)
    assert f"loss {2 * 0.95**20:.3f}" in capsys.readouterr().out.split("\r")[-1]


@pytest.mark.parametrize(("steps", "top"), [(200, 20), (5, 1), (1, 1)])
def test_the_rate_peaks_after_a_tenth_and_ends_near_zero(steps, top):
    rate = warm_up_and_down(steps, 0.5)
    rates = [rate(step) for step in range(1, steps + 1)]
    assert max(rates) == rates[top - 1] == pytest.approx(0.5)
    steps_up = [b - a for a, b in zip([0.0, *rates[:top]], rates[:top], strict=False)]
    steps_down = [a - b for a, b in zip(rates[top - 1 :], [*rates[top:], 0.0], strict=True)]
    assert steps_up == pytest.approx([0.5 / top] * top)
    assert steps_down == pytest.approx([0.5 / len(steps_down)] * len(steps_down))
