"""Collect the outputs of a cell from its kernel's messages, up to a limit of size."""

import json
from typing import Any

from nbformat import NotebookNode, from_dict, validate
from nbformat.v4 import new_output, output_from_msg

from autograder.course.safe_text import storable

MOST_CHARACTERS = 1_000_000  # of a cell's messages as JSON: an endless print would fill disk and browser
CUT = f"\n… the output was cut here: a cell may show {MOST_CHARACTERS:,} characters\n"


class CellOutputs:
    def __init__(self) -> None:
        self._cells: list[NotebookNode] = []
        self._shown: dict[str, list[NotebookNode]] = {}
        self._left = MOST_CHARACTERS
        self._clear_next = False

    def take(self, kind: str, content: dict[str, object]) -> None:
        """Add one message of the kernel; one that is no output, or malformed, is dropped."""
        if kind == "clear_output":
            self._clear_next = True
            if not content.get("wait"):
                self._clear()
            return
        if kind not in ("stream", "display_data", "execute_result", "error", "update_display_data") or self._left <= 0:
            return
        try:
            self._count(content)
            clean = storable(content)
            assert isinstance(clean, dict)
            if kind == "update_display_data":
                self._update(clean)
                return
            output = output_from_msg({"header": {"msg_type": kind}, "content": clean})  # validates it
        except Exception:
            return
        self._clear()
        transient = clean.get("transient")
        if isinstance(transient, dict) and isinstance(display := transient.get("display_id"), str):
            self._shown.setdefault(display, []).append(output)
        last = self._cells[-1] if self._cells else None
        if kind == "stream" and last is not None and last.output_type == "stream" and last.name == output.name:
            last.text += output.text
        else:
            self._cells.append(output)

    def cells(self) -> list[NotebookNode]:
        if self._left <= 0:
            return [*self._cells, new_output("stream", name="stdout", text=CUT)]
        return self._cells

    def _count(self, content: dict[str, object]) -> None:
        size, text = len(json.dumps(content)), content.get("text")
        if size > self._left and isinstance(text, str):
            content["text"] = text[: self._left]
        elif size > self._left:
            self._left = 0
            raise ValueError("too large")
        self._left -= size

    def _update(self, content: dict[str, Any]) -> None:
        for output in self._shown.get(content["transient"]["display_id"], []):
            changed = output | {"data": content["data"], "metadata": content["metadata"]}
            validate(changed, ref="output", version=4)
            output.update(from_dict(changed))

    def _clear(self) -> None:
        if self._clear_next:
            self._cells, self._shown, self._clear_next = [], {}, False
