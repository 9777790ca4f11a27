"""Masking and sampling are judged by statistics: right ones pass whatever the seed, wrong ones are told apart."""

import pytest
import torch

from course_lib.checks import Finding
from course_lib.checks.answer_forms.configs import CONFIGS, config_data, configured
from course_lib.checks.observers import OBSERVERS
from course_lib.checks.observers.sampling import RIGHT
from course_lib.models.configs import LanguageModelConfig
from course_lib.models.decoder_only import generate
from course_lib.models.encoder_only import mask_tokens

TABLE = torch.tensor([2.0, 1.4, 0.8, 0.2, -0.4, -1.0]).repeat(6, 1)


@pytest.mark.parametrize("p", [0.05, 0.15, 0.5, 0.9])
def test_a_right_share_is_recognised_for_every_seed(p):
    for seed in range(20):
        arguments = {"tokens": torch.randint(4, 20, (8, 10)), "mask_id": 3, "p": p, "generator": seed}
        found = OBSERVERS["share hidden"]("mask_tokens", mask_tokens, arguments, ("inputs", "labels"))
        assert found == {"the share of the tokens that becomes mask_id": "p"}


def test_labels_of_another_shape_are_explained():
    arguments = {"tokens": torch.randint(4, 20, (8, 10)), "mask_id": 3, "p": 0.5, "generator": 1}
    with pytest.raises(Finding, match=r"labels has shape \(64,\), expected \(64, 60\)"):
        OBSERVERS["hidden tokens"](
            "mask_tokens", lambda t, m, p, g: (t, t[:, 0].clone()), arguments, ("inputs", "labels")
        )


def test_floats_are_no_tokens():
    arguments = {"tokens": torch.randint(4, 20, (2, 3)), "mask_id": 3, "p": 1.0}
    with pytest.raises(Finding, match="inputs has dtype float32, expected int64"):
        OBSERVERS["whole tokens"]("m", lambda t, m, p: (t.float(), t), arguments, ("inputs", "labels"))


@pytest.mark.parametrize(("temperature", "top_k"), [(1.0, None), (0.4, None), (2.0, 3)])
def test_right_odds_are_recognised(temperature, top_k):
    arguments = {"model": TABLE, "prompt": torch.tensor([[1, 4, 2]]), "steps": 1}
    arguments |= {"temperature": temperature, "top_k": top_k}
    found = OBSERVERS["odds of the next token"]("generate", generate, arguments, ("tokens",))
    assert found == {"what draws the next token": RIGHT}


def test_a_token_outside_the_vocabulary_is_a_finding():
    arguments = {"model": TABLE, "prompt": torch.tensor([[1]]), "steps": 1}
    with pytest.raises(Finding, match="not in the vocabulary 0 … 5"):
        OBSERVERS["odds of the next token"](
            "generate", lambda m, p, s: torch.cat([p, p + 9], 1), arguments, ("tokens",)
        )


def test_configurations_cross_as_data():
    config = LanguageModelConfig(9, 6, 2, 7, 1, 8, pad_id=1)
    data = config_data(config)
    assert data.keys() <= CONFIGS.keys()
    assert configured([data, 3]) == [config, 3]
