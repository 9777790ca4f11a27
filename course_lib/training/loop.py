"""A short training loop with a progress bar: batches in, losses out."""

import time
from collections.abc import Callable, Iterable
from typing import TypeVar

import torch
from torch import Tensor, nn

Batch = TypeVar("Batch")
LARGEST_GRADIENT = 1.0  # Gradient clipping: rescale to this norm, so one outlier batch can't undo progress.


def train(
    model: nn.Module,
    batches: Iterable[Batch],
    loss_of: Callable[[nn.Module, Batch], Tensor],
    lr: float | Callable[[int], float] = 1e-3,
    watch: Callable[[int, float], object] | None = None,
) -> list[float]:
    """One Adam step for each batch; returns the losses.

    `lr` is a number or a function of the step, counted from 1. `watch(step, loss)` is called after each step:
    a ProgressBar, or anything that draws.
    """
    optimizer = torch.optim.Adam(model.parameters(), lr=0.0, betas=(0.9, 0.98), eps=1e-9)
    losses = []
    model.train()
    for step, batch in enumerate(batches, 1):
        for group in optimizer.param_groups:
            group["lr"] = lr(step) if callable(lr) else lr
        loss = loss_of(model, batch)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), LARGEST_GRADIENT)
        optimizer.step()
        losses.append(loss.item())
        if watch:
            watch(step, losses[-1])
    return losses


def warm_up_and_down(steps: int, peak: float) -> Callable[[int], float]:
    """Linear warm-up to the peak over the first tenth of the steps, then linear decay to nearly zero."""
    warm_up = max(1, steps // 10)
    return lambda step: peak * min(step / warm_up, (steps - step + 1) / (steps - warm_up + 1))


class ProgressBar:
    """Prints one line that grows with the steps and shows a running mean of the loss."""

    def __init__(self, steps: int, seconds: float = 0.2):
        self.steps, self.seconds = steps, seconds
        self.start = time.monotonic()
        self.drawn = self.start - seconds
        self.mean = 0.0

    def __call__(self, step: int, loss: float) -> None:
        share = 0.05 if step > 20 else 1 / step  # a plain mean at first, then an exponential moving average
        self.mean += share * (loss - self.mean)
        now = time.monotonic()
        if step < self.steps and now - self.drawn < self.seconds:
            return
        self.drawn = now
        filled = 30 * step // self.steps
        bar = "█" * filled + "░" * (30 - filled)
        line = f"\r{bar} step {step}/{self.steps}  loss {self.mean:.3f}  {now - self.start:.0f} s"
        print(line, end="\n" if step >= self.steps else "", flush=True)
