"""Strict reading of parsed JSON: each function returns a value of its type, or raises TypeError."""

LARGEST = 1e9  # no score, and no number of seconds, comes near it


def text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{type(value).__name__} in place of a text")
    return value


def texts(value: object) -> list[str]:
    return [text(item) for item in items(value)]


def number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < LARGEST:
        raise TypeError(f"{value!r} in place of a number")
    return value


def boolean(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"{type(value).__name__} in place of a boolean")
    return value


def items(value: object) -> list[object]:
    if not isinstance(value, list):
        raise TypeError(f"{type(value).__name__} in place of a list")
    return value


def table(value: object) -> dict[str, object]:
    """A JSON object."""
    if not isinstance(value, dict):
        raise TypeError(f"{type(value).__name__} in place of a table")
    return value
