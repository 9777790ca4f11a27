"""The course's own small text for language models: tokens, windows and a unigram baseline."""

from collections.abc import Iterator

import torch
from jaxtyping import Int
from torch import Tensor

from course_lib.tasks.harbour_story import TEXT
from course_lib.tasks.vocabulary import Vocabulary

VOCABULARY = Vocabulary([TEXT])
TEST_SHARE = 0.1


def load_corpus() -> tuple[Int[Tensor, "n_train"], Int[Tensor, "n_test"]]:
    """(training, test): the characters of the text as tokens, the last tenth held out."""
    tokens = torch.tensor(VOCABULARY.encode(TEXT))
    end = round(len(tokens) * (1 - TEST_SHARE))
    return tokens[:end], tokens[end:]


def windows(
    tokens: Int[Tensor, "length"], steps: int, batch: int, n: int, seed: int
) -> Iterator[Int[Tensor, "{batch} {n}"]]:
    """Random pieces of n tokens, a batch for each step."""
    generator = torch.Generator().manual_seed(seed)
    for _ in range(steps):
        starts = torch.randint(len(tokens) - n + 1, (batch, 1), generator=generator)
        yield tokens[starts + torch.arange(n)]


def all_windows(tokens: Int[Tensor, "length"], n: int) -> Int[Tensor, "batch {n}"]:
    """The tokens cut into pieces of n, side by side; a shorter rest is dropped."""
    return tokens[: len(tokens) // n * n].reshape(-1, n)


def unigram_entropy(tokens: Int[Tensor, "length"]) -> float:
    """−Σ p log p of the characters' frequencies, in nats: the loss of a model that only counts."""
    p = tokens.bincount().double() / len(tokens)
    return -torch.special.xlogy(p, p).sum().item()
