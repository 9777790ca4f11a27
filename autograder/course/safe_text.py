"""Sanitize what students send: no lone surrogates, bounded nesting, no control characters."""

DEEPEST = 60  # levels of nesting: far more than a notebook needs, far fewer than Python's limit of recursion


def storable(value: object, depth: int = 0) -> object:
    """JSON data with each lone surrogate, which UTF-8 cannot hold, replaced by "?"; ValueError if nested too deeply."""
    if depth > DEEPEST:
        raise ValueError(f"nested more than {DEEPEST} deep")
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, dict):
        return {storable(key): storable(part, depth + 1) for key, part in value.items()}
    if isinstance(value, list):  # Fast path for ASCII strings: most lists are the lines of a cell.
        return [part if type(part) is str and part.isascii() else storable(part, depth + 1) for part in value]
    return value


def printable(text: str) -> str:
    """The text without characters that could control a terminal; line breaks stay."""
    return "".join(letter for letter in text if letter.isprintable() or letter == "\n")
