"""The outputs of a cell, as its kernel sends them, cut at a stated size."""

import json

from nbformat import NotebookNode, from_dict, validate
from nbformat.v4 import new_output, output_from_msg

from autograder.course.safe_text import storable

MOST_CHARACTERS = 1_000_000
CUT = f"\n… the output was cut here: a cell may show {MOST_CHARACTERS:,} characters\n"


class Outputs:
    def __init__(self) -> None:
        self._cells: list[NotebookNode] = []
        self._shown: dict[str, list[NotebookNode]] = {}
        self._left = MOST_CHARACTERS
        self._clear_next = False

    def take(self, kind: str, content: dict) -> None:
        """One message of a kernel; what is not an output, or none that can be read, is passed over."""
        if kind == "clear_output":
            self._clear_next = True
            if not content.get("wait"):
                self._clear()
            return
        if kind not in ("stream", "display_data", "execute_result", "error", "update_display_data") or self._left <= 0:
            return
        try:
            self._count(content)
            content = storable(content)
            if kind == "update_display_data":
                self._update(content)
                return
            output = output_from_msg({"header": {"msg_type": kind}, "content": content})  # which validates it
        except Exception:
            return
        self._clear()
        display = (content.get("transient") or {}).get("display_id")
        if isinstance(display, str):
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

    def _count(self, content: dict) -> None:
        size = len(json.dumps(content))
        if size > self._left and isinstance(content.get("text"), str):
            content["text"] = content["text"][: self._left]
        elif size > self._left:
            self._left = 0
            raise ValueError("too large")
        self._left -= size

    def _update(self, content: dict) -> None:
        for output in self._shown.get(content["transient"]["display_id"], []):
            changed = output | {"data": content["data"], "metadata": content["metadata"]}
            validate(changed, ref="output", version=4)
            output.update(from_dict(changed))

    def _clear(self) -> None:
        if self._clear_next:
            self._cells, self._shown, self._clear_next = [], {}, False
