"""An exception as a student met it, and what its line of code says."""

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

_PAIRS = {")": "(", "]": "[", "}": "{"}


@dataclass(frozen=True)
class Raised:
    """`error` is the type's name, `message` its text, `arguments` those of the call by their names."""

    error: str
    message: str
    line: str
    arguments: Mapping[str, object]

    def nodes(self) -> Iterator[ast.AST]:
        """Every part of the line's code; nothing if it cannot be parsed."""
        return ast.walk(self._code[1])

    def calls(self, *names: str) -> list[ast.Call]:
        """The calls of functions or methods with these names; of any, if there are none."""
        calls = [node for node in self.nodes() if isinstance(node, ast.Call)]
        return [call for call in calls if not names or called_name(call) in names]

    def call_text(self, *names: str) -> str:
        """The one call of these names as the student wrote it, or "" if there are several."""
        calls = self.calls(*names)
        return self.text(calls[0]) if len(calls) == 1 else ""

    def text(self, node: ast.AST) -> str:
        """The part of the line as the student wrote it."""
        return ast.get_source_segment(self._code[0], node) or ""

    def words(self, pattern: str) -> list[str]:
        """What the pattern finds in the line."""
        return re.findall(pattern, self.line)

    @cached_property
    def tree(self) -> ast.Module:
        return self._code[1]

    @cached_property
    def _code(self) -> tuple[str, ast.Module]:
        """The line completed to a statement: a block without its body, or a call without its end, cannot be parsed."""
        text = self.line.strip()
        closed = text.rstrip(", ") + _closing(text)
        for source in (text, f"{text} pass", text.removeprefix("el") + " pass", closed):
            try:
                return source, ast.parse(source)
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                continue
        return "", ast.Module(body=[], type_ignores=[])


def called_name(call: ast.Call) -> str:
    """exp for math.exp(x), x.exp() and exp(x)."""
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def root_name(node: ast.AST) -> str:
    """math for math.exp, self for self.blocks."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _closing(text: str) -> str:
    opened: list[str] = []
    for letter in text:
        if letter in _PAIRS.values():
            opened.append(letter)
        elif letter in _PAIRS and opened and opened[-1] == _PAIRS[letter]:
            opened.pop()
    return "".join({v: k for k, v in _PAIRS.items()}[letter] for letter in reversed(opened))
