"""Shifting, the loss and the schedule, each against a loop or the paper's own sentence about it."""

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from course_lib.training.loop import ProgressBar, train, warm_up_and_down
from course_lib.training.objectives import noam_lr, shift_right, teacher_forcing_loss


def test_shift_right():
    tokens = torch.tensor([[5, 6, 7], [8, 9, 0]])
    kept = tokens.clone()
    assert shift_right(tokens, sos_id=1).tolist() == [[1, 5, 6], [1, 8, 9]]
    assert torch.equal(tokens, kept)
    assert shift_right(tokens[:, :1], 1).tolist() == [[1], [1]]
    assert shift_right(tokens[:0], 1).shape == (0, 3)
    assert shift_right(tokens[:, :0], 1).shape == (2, 0)


@given(st.integers(1, 3), st.integers(1, 5), st.integers(2, 6), st.sampled_from([0.0, 0.1, 0.5]))
def test_loss_by_loop(batch, n, vocab, smoothing):
    logits = torch.randn(batch, n, vocab, dtype=torch.float64)
    targets = torch.randint(vocab, (batch, n))
    targets[0, 0] = 1  # one real token at least
    total, count = 0.0, 0
    for b in range(batch):
        for t in range(n):
            if targets[b, t] == 0:
                continue
            log_p = logits[b, t].log_softmax(-1)
            wanted = torch.full((vocab,), smoothing / vocab, dtype=torch.float64)
            wanted[targets[b, t]] += 1 - smoothing
            total, count = total - (wanted * log_p).sum(), count + 1
    torch.testing.assert_close(teacher_forcing_loss(logits, targets, 0, smoothing), total / count)


def test_padding_gets_no_gradient():
    logits = torch.randn(1, 3, 4, requires_grad=True)
    teacher_forcing_loss(logits, torch.tensor([[2, 3, 0]]), pad_id=0, label_smoothing=0.1).backward()
    assert logits.grad[0, 2].eq(0).all()
    assert logits.grad[0, :2].ne(0).all()


def test_noam_rises_in_a_line_and_falls_with_the_root():
    rates = [noam_lr(step, 512, 4000) for step in range(1, 20001)]
    assert max(rates) == rates[3999]
    assert rates[3999] == pytest.approx(512**-0.5 * 4000**-0.5)
    assert rates[1999] == pytest.approx(rates[3999] / 2)
    assert rates[15999] == pytest.approx(rates[3999] / 2)
    with pytest.raises(ValueError, match="from 1, got 0"):
        noam_lr(0, 512, 4000)


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
