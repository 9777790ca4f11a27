"""Characters as numbers: a vocabulary with padding, start, end and mask tokens in front."""

from collections.abc import Iterable, Sequence

import torch
from jaxtyping import Int
from torch import Tensor

PAD, SOS, EOS, MASK = 0, 1, 2, 3
SPECIAL = 4  # number of special tokens


class Vocabulary:
    """The characters of some texts, numbered in alphabetical order after the special tokens."""

    def __init__(self, texts: Iterable[str]):
        self.characters = sorted(set("".join(texts)))
        self._ids = {character: i for i, character in enumerate(self.characters, SPECIAL)}

    def __len__(self) -> int:
        return SPECIAL + len(self.characters)

    def encode(self, text: str) -> list[int]:
        if unknown := [character for character in text if character not in self._ids]:
            known = "".join(self.characters)
            raise ValueError(f"{unknown[0]!r} in {text!r} is not in the vocabulary: {known!r}")
        return [self._ids[character] for character in text]

    def decode(self, ids: Iterable[int]) -> str:
        """The text up to the first EOS; other special tokens are left out, and a masked one is shown as ·."""
        text = ""
        for i in ids:
            if i == EOS:
                break
            if i == MASK:
                text += "·"
            elif i >= SPECIAL:
                text += self.characters[i - SPECIAL]
        return text

    def batch(self, texts: Sequence[str], end: bool = False) -> Int[Tensor, "batch n"]:
        """The texts as rows, padded to the longest; each with an EOS if `end`."""
        rows = [self.encode(text) + [EOS] * end for text in texts]
        longest = max((len(row) for row in rows), default=0)
        padded = [row + [PAD] * (longest - len(row)) for row in rows]
        return torch.tensor(padded, dtype=torch.long).reshape(len(rows), longest)
