"""Small fake models that follow a rule instead of trained weights, so that every right output is known exactly."""

import torch
import torch.nn.functional as F
from torch import Tensor, nn

PAD, SOS, EOS = 0, 1, 2
FIRST_WORD, VOCAB = 3, 11


class Writer(nn.Module):
    """Writes one token for each source token that is not masked, then EOS.

    Each token depends on the source token at its position and on all tokens written so far; with dropout, in training
    mode, it differs. `notes` records the calls: sources, targets, and whether gradients were on. Its end token may be
    any below FIRST_WORD.
    """

    callback_methods = ("encode", "source_mask", "decode")

    def __init__(self, dropout: bool = False, eos: int = EOS) -> None:
        super().__init__()
        self.dropout = dropout
        self.eos = eos
        self.notes: dict[str, list] = {"sources": [], "targets": [], "gradients": []}

    def forward(self, src: Tensor, tgt_in: Tensor) -> Tensor:
        self.notes["targets"].append(tgt_in.clone())
        self.notes["gradients"].append(torch.is_grad_enabled())
        return self._logits(tgt_in, self._memory(src), self.source_mask(src))

    def encode(self, src: Tensor) -> Tensor:
        self.notes["sources"].append(src.clone())
        return self._memory(src)

    def source_mask(self, src: Tensor) -> Tensor:
        return (src == PAD)[:, None, None]

    def decode(self, tgt_in: Tensor, memory: Tensor, memory_mask: Tensor | None = None) -> Tensor:
        self.notes["gradients"].append(torch.is_grad_enabled())
        return self._logits(tgt_in, memory, memory_mask)

    def _memory(self, src: Tensor) -> Tensor:
        return F.one_hot(src + (self.dropout and self.training), VOCAB + 1).float()

    def _logits(self, tgt_in: Tensor, memory: Tensor, memory_mask: Tensor | None) -> Tensor:
        n_tgt, words = tgt_in.shape[1], memory.argmax(-1)
        seen = torch.ones_like(words) if memory_mask is None else (~memory_mask[:, 0, 0]).long()
        padded = F.pad(words, (0, max(0, n_tgt - words.shape[1])))[:, :n_tgt]
        wrote = FIRST_WORD + (padded + tgt_in.cumsum(1)) % (VOCAB - FIRST_WORD)
        ended = torch.arange(n_tgt) >= seen.sum(1, keepdim=True)
        best = F.one_hot(torch.where(ended, self.eos, wrote), VOCAB).float()
        return 3 * best + torch.sin(1.7 * torch.arange(VOCAB) + 0.3 * tgt_in.cumsum(1)[..., None])
