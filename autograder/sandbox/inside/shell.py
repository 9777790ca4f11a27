"""The IPython shell in which a student's cells run; their outputs go to a callback, not to a Jupyter session."""

import ast
import builtins
import getpass
import io
import json
import os
import sys
from collections.abc import Callable
from typing import Any

import traitlets
from ipykernel.zmqshell import ZMQInteractiveShell
from IPython.core.compilerop import CachingCompiler
from IPython.core.inputtransformer2 import TransformerManager
from jupyter_client.session import Session, json_default
from traitlets.config import Config

Content = dict[str, object]
Publish = Callable[[str, Content], None]  # a Jupyter message's type and content


class OutputSession(Session):
    """Stands in for the Jupyter session of the shell's display hooks: passes their messages to `publish`."""

    publish = traitlets.Any()

    def send(
        self,
        stream: object,
        msg_or_type: dict[str, Any] | str,
        content: Content | None = None,
        *rest: object,
        **options: object,
    ) -> None:
        if isinstance(msg_or_type, str):
            self.publish(msg_or_type, content)
        else:
            self.publish(msg_or_type["header"]["msg_type"], msg_or_type["content"])


class Stream(io.TextIOBase):
    """Line-buffered standard output or error."""

    encoding = "UTF-8"

    def __init__(self, name: str, publish: Publish):
        self.name, self._publish, self._text = name, publish, ""

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self._text += text
        if "\n" in text:
            self.flush()
        return len(text)

    def flush(self) -> None:
        text, self._text = self._text, ""
        if text:
            self._publish("stream", {"name": self.name, "text": text})


class Cells(CachingCompiler):
    """Names cells by their numbers: ipykernel's names hash the source, which takes longer than most cells run."""

    def get_code_name(self, raw_code: str, code: str, number: int) -> str:
        return f"cell_{number}.py"


class Magics(TransformerManager):
    """Skips IPython's search for magics, which is slow, in cells that parse as Python."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # IPython has no types here
        self._usual = list(self.cleanup_transforms)

    def transform_cell(self, cell: str) -> str:
        if self.cleanup_transforms == self._usual and _is_python(cell):
            return cell if cell.endswith("\n") else f"{cell}\n"
        return super().transform_cell(cell)


class StudentShell(ZMQInteractiveShell):
    """A notebook's shell without a user: `input` fails, and `exit` in a cell ends nothing."""

    output_session = traitlets.Instance(OutputSession, ())

    keepkernel_on_exit = True  # type: ignore[assignment]  # ipykernel declares it as None
    input_transformer_manager = traitlets.Instance(Magics, ())

    def should_run_async(self, raw_cell: str, *, transformed_cell: str | None = None, **options: Any) -> bool:
        cell = transformed_cell or raw_cell
        has_word = "await" in cell or "async" in cell  # IPython compiles the cell once more to find out
        return has_word and super().should_run_async(raw_cell, transformed_cell=transformed_cell, **options)

    def enable_gui(self, gui: str | None = None) -> None:
        self.active_eventloop = gui  # `%matplotlib inline` calls this; there is no event loop to integrate

    def publish_to(self, publish: Publish) -> None:
        """Send outputs of cells, and what they print, to `publish`."""
        owner = os.getpid()

        def publish_own(kind: str, content: Content) -> None:
            if os.getpid() == owner:  # a process that a cell forked shares the socket: its output is dropped
                publish(kind, content)

        self.output_session.publish = publish_own
        sys.stdout, sys.stderr = Stream("stdout", publish_own), Stream("stderr", publish_own)
        builtins.input = getpass.getpass = _refuse_input


def new_shell() -> StudentShell:
    """The process's one shell; slow to make, so the zygote makes it before it forks."""
    shell = StudentShell.instance(config=shell_config(), compiler_class=Cells)
    for hook in (shell.display_pub, shell.displayhook):
        hook.set_trait("session", shell.output_session)
    return shell


def shell_config() -> Config:
    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.colors = "nocolor"
    config.InteractiveShell.xmode = "Plain"  # tracebacks with context take longer to format than most cells run
    return config


def as_json(kind: str, content: Content) -> bytes:
    return json.dumps([kind, content], default=json_default).encode()


def _is_python(cell: str) -> bool:
    try:
        ast.parse(cell)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return not cell[:1].isspace()  # leading blank lines and an indent are IPython's to remove


def _refuse_input(*arguments: object, **options: object) -> str:
    raise RuntimeError("nobody is there to type an answer while a notebook is graded")
