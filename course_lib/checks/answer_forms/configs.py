"""Configurations as plain data, {"TransformerConfig": {"d_model": 8, …}}, for cards and the student's process."""

from collections.abc import Sequence
from dataclasses import asdict

from course_lib.models.configs import LanguageModelConfig, TransformerConfig, ViTConfig

Config = LanguageModelConfig | TransformerConfig | ViTConfig
CONFIGS = {kind.__name__: kind for kind in (LanguageModelConfig, TransformerConfig, ViTConfig)}


def config_data(config: Config) -> dict[str, dict]:
    """A configuration as plain data."""
    return {type(config).__name__: asdict(config)}


def configured(sizes: Sequence[object]) -> list[object]:
    """The arguments of a constructor; a configuration given as plain data becomes an object again."""
    return [_read(size) for size in sizes]


def _read(size: object) -> object:
    if isinstance(size, dict) and len(size) == 1 and size.keys() <= CONFIGS.keys():
        ((kind, fields),) = size.items()
        return CONFIGS[kind](**fields)
    return size
