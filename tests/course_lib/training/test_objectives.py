"""Shifting, the loss and the schedule, each against a loop or the paper's own sentence about it."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

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
