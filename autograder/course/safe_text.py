"""Make what others wrote harmless: for files, terminals, pages, formulas and spreadsheets. Nothing else does."""

import json
import re

DEEPEST = 60  # levels of nesting: far more than a notebook needs, far fewer than Python's limit of recursion
# what steers a terminal, turns the direction of the text around it, hides, or is half of a character
UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u0600-\u0605\u061c\u06dd\u070f\u08e2\u180e\u200b\u200e\u200f\u2028-\u202e"
    "\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)
# MathJax's and KaTeX's commands that name an address, a style, a class, an extension, or another command by its letters
TEX_COMMANDS = re.compile(
    r"\\(?=(?:href|url|html\w*|class|cssId|style|data|require|includegraphics|mmlToken|bbox|texttip|mathtip|tooltip"
    r"|unicode|csname|Html\w*|special|write|input|include)(?![A-Za-z]))"
)
FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")


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
    """The text without characters that could control a terminal; line breaks stay, other white space is a blank."""
    if text.isprintable():
        return text
    return "".join(_printable(letter) for letter in text)


def _printable(letter: str) -> str:
    if letter.isprintable() or letter == "\n":
        return letter
    return " " if letter.isspace() and letter not in "\r\x0b\x0c\x1c\x1d\x1e\x1f\x85" else ""


def readable(text: str) -> str:
    """The text for a page: whatever has no shape of its own becomes a visible sign."""
    return UNSEEN.sub("\N{REPLACEMENT CHARACTER}", text)


def inert_tex(text: str) -> str:
    """The text with commands that make links or styles broken up, so that a formula shows their names."""
    return TEX_COMMANDS.sub("\\\\\N{WORD JOINER}", text)


def inert_cell_text(text: str) -> str:
    """A cell that a spreadsheet does not take for a formula: with an apostrophe before what could begin one."""
    text = printable(text)
    return f"'{text}" if text.lstrip().startswith(FORMULAS) else text


def json_text(value: object) -> str:
    """JSON on one line, which reads back the same; what cannot be seen is written as its number."""
    return UNSEEN.sub(_number, json.dumps(value, ensure_ascii=False))


def _number(letter: re.Match[str]) -> str:
    return json.dumps(letter[0])[1:-1]
