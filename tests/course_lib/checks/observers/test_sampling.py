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
