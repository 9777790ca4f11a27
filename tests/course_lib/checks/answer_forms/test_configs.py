"""Configurations become plain data and objects again."""

import pytest

from course_lib.checks.answer_forms.configs import CONFIGS, config_data, configured
from course_lib.models.configs import LanguageModelConfig, TransformerConfig


@pytest.mark.parametrize(
    "config",
    [TransformerConfig(9, 7, 4, 2, 5, 1, 9, norm_first=True), LanguageModelConfig(9, 6, 2, 7, 1, 8, pad_id=1)],
)
def test_configurations_become_data_and_objects_again(config):
    data = config_data(config)
    assert data.keys() <= CONFIGS.keys()
    assert all(type(value) in (int, float, bool, str) for value in data[type(config).__name__].values())
    assert configured([data, 3, {"other": 1}]) == [config, 3, {"other": 1}]
