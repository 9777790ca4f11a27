"""Next-token probabilities are recognized from draws."""

import pytest
import torch

from course_lib.checks import Finding
from course_lib.checks.observers import OBSERVERS
from course_lib.checks.observers.sampling import RIGHT
from course_lib.checks.question import Question
from course_lib.models.decoder_only import generate

TABLE = torch.tensor([2.0, 1.4, 0.8, 0.2, -0.4, -1.0]).repeat(6, 1)


@pytest.mark.parametrize(("temperature", "top_k"), [(1.0, None), (0.4, None), (2.0, 3)])
def test_right_odds_are_recognised(temperature, top_k):
    arguments = {"model": TABLE, "prompt": torch.tensor([[1, 4, 2]]), "steps": 1}
    arguments |= {"temperature": temperature, "top_k": top_k}
    found = OBSERVERS["next-token probabilities"](Question("generate", generate, arguments, ("tokens",)))
    assert found == {"what draws the next token": RIGHT}


def test_a_token_outside_the_vocabulary_is_a_finding():
    arguments = {"model": TABLE, "prompt": torch.tensor([[1]]), "steps": 1}
    with pytest.raises(Finding, match="not in the vocabulary 0 … 5"):
        OBSERVERS["next-token probabilities"](
            Question("generate", lambda m, p, s: torch.cat([p, p + 9], 1), arguments, ("tokens",))
        )


def _observed(answer, steps=1, temperature=1.0):
    table = torch.stack([TABLE[0].roll(shift) for shift in range(6)])
    arguments = {"model": table, "prompt": torch.tensor([[1, 4, 2]]), "steps": steps, "temperature": temperature}
    return OBSERVERS["next-token probabilities"](Question("generate", answer, arguments | {"top_k": None}, ("tokens",)))


def _drawing(make):
    """A function that draws each token from what `make` makes of the logits."""

    def answer(model, prompt, steps, temperature=1.0, top_k=None):
        for _ in range(steps):
            prompt = torch.cat([prompt, torch.multinomial(make(model(prompt)[:, -1]), 1)], 1)
        return prompt

    return answer


def test_what_nobody_knows_is_told_by_its_numbers():
    found = _observed(_drawing(lambda logits: (logits**2).softmax(-1)))
    assert found["what draws the next token"].startswith("other probabilities, about 0.")


def test_one_draw_for_all_and_draws_of_a_fixed_seed_are_seen():
    def one(model, prompt, *rest):
        return torch.cat([prompt, generate(model, prompt[:1], *rest)[:, -1:].expand(len(prompt), 1)], 1)

    def seeded(*arguments):
        torch.manual_seed(0)
        return generate(*arguments)

    assert _observed(one)["what draws the next token"] == "one draw for all sequences"
    assert _observed(seeded)["what draws the next token"] == "the same draws in every call"


def test_noise_that_is_used_twice_shows_in_the_second_token():
    def again(logits):
        torch.manual_seed(torch.initial_seed())
        return logits.softmax(-1)

    follows = "whether the second token follows the model's probabilities, given the first"
    assert _observed(generate, steps=2) == {"what draws the next token": RIGHT, follows: True}
    assert _observed(_drawing(again), steps=2) == {"what draws the next token": RIGHT, follows: False}
