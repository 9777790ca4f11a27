"""Unit 07: temperature and top-k, and how often each token is then drawn."""

from collections.abc import Callable

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.distributions import Categorical

from course_lib.plots import Picture, drawn_odds
from course_lib.widgets.explorers.base import Explorer, Unreadable
from course_lib.widgets.explorers.controls import Field, Slider, Steps
from course_lib.widgets.explorers.number_fields import read_numbers
from course_lib.widgets.explorers.student_function import OwnFunction, tensor_of

DRAWS, LETTERS = 4000, "abcdefgh"


def explore_sampling(generate: Callable) -> Explorer:
    """4000 tokens from `generate(model, prompt, steps, temperature, top_k)`, each from the same logits."""

    def own(logits: Tensor, temperature: float, top_k: int) -> object:
        torch.manual_seed(0)
        return generate(_SameLogits(logits), torch.zeros(DRAWS, 1, dtype=torch.long), 1, temperature, top_k)[:, 1]

    def stand_in(logits: Float[Tensor, "vocab"], temperature: float, top_k: int) -> Int[Tensor, "draws"]:
        torch.manual_seed(0)
        return Categorical(_probabilities(logits, temperature, top_k)).sample((DRAWS,))

    tokens = OwnFunction("generate", own, stand_in)

    def draw(temperature: float, top_k: int, logits: str) -> Picture:
        z = read_numbers("logits", logits, len(LETTERS))
        if len(z) < 2:
            raise Unreadable("logits: one number, expected at least two tokens to choose from")
        kept = min(top_k, len(z))
        settings = {"T = 1, all tokens": (1.0, len(z)), f"T = {temperature:g}, top {kept}": (temperature, kept)}
        drawn = {name: tokens(z, *knobs, fits=tensor_of(DRAWS)) for name, knobs in settings.items()}
        wanted = {name: _probabilities(z, *knobs) for name, knobs in settings.items()}
        return drawn_odds("How often each token is drawn", drawn, LETTERS[: len(z)], wanted, quick=True).sign(
            tokens.line
        )

    return Explorer(
        draw,
        {
            "temperature": Slider("temperature", 0.5, 0.1, 5.0, 0.1),
            "top_k": Steps("top k", 3, range(1, len(LETTERS) + 1)),
            "logits": Field("logits", "2.0 1.2 0.6 0.0 -1.0"),
        },
    )


class _SameLogits(nn.Module):
    """A model that gives the same logits whatever it has read."""

    def __init__(self, logits: Tensor):
        super().__init__()
        self.logits = logits

    def forward(self, tokens: Int[Tensor, "batch n"]) -> Float[Tensor, "batch n vocab"]:
        return self.logits.expand(*tokens.shape, -1)


def _probabilities(logits: Float[Tensor, "vocab"], temperature: float, top_k: int) -> Float[Tensor, "vocab"]:
    """Probabilities by temperature and top-k: outside the k likeliest they are 0, the rest is renormalized."""
    shares = Categorical(logits=logits.double() / temperature).probs
    least = shares.sort().values[-top_k]
    return Categorical(shares * (shares >= least)).probs.float()
