"""Teacher forcing: the shifted input, the loss, and the learning-rate schedule of the 2017 paper.

The schedule: Vaswani et al., 2017, arXiv:1706.03762, section 5.3. Label smoothing: Szegedy et al., 2016,
arXiv:1512.00567.
"""

from collections.abc import Callable

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor


def shift_right(tokens: Int[Tensor, "batch n"], sos_id: int) -> Int[Tensor, "batch n"]:
    """(SOS, t_0, …, t_{n−2}): at each position the decoder reads the token before the one it must predict."""
    sos = tokens.new_full((len(tokens), 1), sos_id)
    return torch.cat([sos, tokens], 1)[:, : tokens.shape[1]]


def teacher_forcing_loss(
    logits: Float[Tensor, "batch n vocab"],
    targets: Int[Tensor, "batch n"],
    pad_id: int,
    label_smoothing: float = 0.0,
) -> Float[Tensor, ""]:
    """−Σ q log softmax(logits), averaged over the tokens that are not padding.

    q is (1 − ε) on the target plus ε / vocab on every token, with ε = label_smoothing.
    """
    return F.cross_entropy(
        logits.flatten(0, 1), targets.flatten(), ignore_index=pad_id, label_smoothing=label_smoothing
    )


def training_loss(
    model: Callable[[Tensor, Tensor], Tensor],
    src: Int[Tensor, "batch n_src"],
    tgt: Int[Tensor, "batch n_tgt"],
    sos_id: int,
    pad_id: int,
) -> Float[Tensor, ""]:
    """The loss of one training step: the model reads the shifted target and is scored on the target itself."""
    return teacher_forcing_loss(model(src, shift_right(tgt, sos_id)), tgt, pad_id)


def noam_lr(step: int, d_model: int, warmup: int) -> float:
    """d_model^(−1/2) · min(step^(−1/2), step · warmup^(−3/2)): linear warm-up, then inverse-square-root decay."""
    if step < 1:
        raise ValueError(f"steps are counted from 1, got {step}")
    return d_model**-0.5 * min(step**-0.5, step * warmup**-1.5)
