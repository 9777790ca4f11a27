"""Atomic writes: write a temporary file, fsync, rename."""

import os
from pathlib import Path


def write_beside(path: Path, text: str) -> None:
    """Write to a temporary file in the same folder and rename it over `path`, so that no reader sees half a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.new")
    with beside.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
