"""Configurations as data, {"TransformerConfig": {"d_model": 8, …}}: so they reach a student and fit on a card."""

from collections.abc import Sequence
from dataclasses import asdict

from course_lib.models.configs import LanguageModelConfig, TransformerConfig, ViTConfig

CONFIGS = {kind.__name__: kind for kind in (LanguageModelConfig, TransformerConfig, ViTConfig)}


def config_data(config: object) -> dict[str, dict]:
    """A configuration as plain data."""
    return {type(config).__name__: asdict(config)}


def configured(sizes: Sequence[object]) -> list[object]:
    """The arguments of a constructor, with every configuration that came as data made into one again."""
    return [_read(size) for size in sizes]


def _read(size: object) -> object:
    if isinstance(size, dict) and len(size) == 1 and size.keys() <= CONFIGS.keys():
        ((kind, fields),) = size.items()
        return CONFIGS[kind](**fields)
    return size
