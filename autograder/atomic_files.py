"""Files that are there whole or not at all."""

import os
from pathlib import Path


def write_beside(path: Path, text: str) -> None:
    """Write the text to a file beside and rename it into place, so that a reader never sees half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.new")
    with beside.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(beside, path)
