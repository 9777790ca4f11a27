"""Configurations as data, {"LanguageModelConfig": {"vocab": 9, …}}, for a student's process and for a card."""

from collections.abc import Sequence
from dataclasses import asdict

from course_lib.language_model_config import LanguageModelConfig

CONFIGS = {kind.__name__: kind for kind in (LanguageModelConfig,)}


def config_data(config: object) -> dict[str, dict]:
    """A configuration as plain data."""
    return {type(config).__name__: asdict(config)}


def configured(sizes: Sequence[object]) -> list[object]:
    """The arguments of a constructor, with each configuration that came as data made into one again."""
    return [_configured(size) for size in sizes]


def _configured(size: object) -> object:
    if not isinstance(size, dict):
        return size
    ((kind, fields),) = size.items()
    return CONFIGS[kind](**fields)
