"""What a student's side sends, made fit to be stored and shown: whole characters, bounded depth, no control codes."""

DEEPEST = 60


def storable(value: object, depth: int = 0) -> object:
    """JSON data with every half of a character replaced by "?"; raises ValueError if it is nested too deeply."""
    if depth > DEEPEST:
        raise ValueError(f"nested more than {DEEPEST} deep")
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, dict):
        return {storable(key): storable(part, depth + 1) for key, part in value.items()}
    if isinstance(value, list):  # of lines, most often
        return [part if type(part) is str and part.isascii() else storable(part, depth + 1) for part in value]
    return value


def printable(text: str) -> str:
    """A text made harmless for a terminal."""
    return "".join(letter for letter in text if letter.isprintable() or letter == "\n")
