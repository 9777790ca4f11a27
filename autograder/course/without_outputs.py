"""Take the outputs out of a notebook's JSON without parsing them: grading makes them anew, and they may be huge."""

import re

STRING = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
TOKEN = re.compile(rb'(?P<key>"outputs"\s*+:)|' + STRING + rb"|(?P<open>[{\[])|(?P<close>[}\]])", re.DOTALL)
# up to the next bracket, over whatever strings are before it, in one go
NEXT_BRACKET = re.compile(
    rb'[^"{}\[\]]*+(?:' + STRING + rb'[^"{}\[\]]*+)*+(?:(?P<open>[{\[])|(?P<close>[}\]]))', re.DOTALL
)
SCALAR = re.compile(rb"\s*+(?:" + STRING + rb"|[^\s,{}\[\]\"]++)", re.DOTALL)
IN_A_CELL = 3  # levels: the notebook, its list of cells, a cell
MOST_BRACKETS = 8_000_000  # in all outputs: two or three seconds of work
LEFT_OUT = "left out"  # the one output of a cell that had some, so that whoever parses the rest can say so


class TooMuch(Exception):
    """The notebook is damaged, or is too large even without its outputs."""


def without_outputs(data: bytes, most: int) -> bytes:
    """The notebook with a mark in place of the outputs of each cell; TooMuch if more than `most` bytes remain.

    What is no notebook comes back as it is, or damaged: the parser says the rest.
    """
    kept: list[bytes] = []
    size = start = at = depth = 0
    left = MOST_BRACKETS
    while token := TOKEN.search(data, at):
        at = token.end()
        if token["open"]:
            depth += 1
        elif token["close"]:
            depth -= 1
        elif token["key"] and depth == IN_A_CELL:
            kept.append(data[start:at] + b'["' + LEFT_OUT.encode() + b'"]')
            start, left = _end_of_value(data, at, left)
            at = start
            size += len(kept[-1])
        if size + at - start > most:
            raise TooMuch
    if size + len(data) - start > most:
        raise TooMuch
    return b"".join([*kept, data[start:]])


def _end_of_value(data: bytes, at: int, left: int) -> tuple[int, int]:
    """Where the value that begins here ends, and how many brackets may follow in others."""
    if scalar := SCALAR.match(data, at):
        return scalar.end(), left
    depth = 0
    while token := NEXT_BRACKET.match(data, at):
        at, left = token.end(), left - 1
        depth += 1 if token["open"] else -1
        if depth <= 0:
            return at, left
        if not left:
            raise TooMuch
    raise TooMuch
