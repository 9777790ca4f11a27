"""The IPython shell in which a student's cells run; what they show goes to whoever listens."""

import ast
import builtins
import getpass
import io
import json
import os
import sys
from collections.abc import Callable

from ipykernel.zmqshell import ZMQInteractiveShell
from IPython.core.compilerop import CachingCompiler
from IPython.core.inputtransformer2 import TransformerManager
from jupyter_client.session import Session, json_default
from traitlets import Any, Instance
from traitlets.config import Config

Publish = Callable[[str, dict], None]  # the kind of a message of Jupyter's, and its content


class Outputs(Session):
    """What the shell's display hooks take for their session; it hands their messages on."""

    publish = Any()

    def send(self, stream: object, message: dict | str, content: dict | None = None, *rest: object, **options: object):
        kind = message if isinstance(message, str) else message["header"]["msg_type"]
        self.publish(kind, content if isinstance(message, str) else message["content"])


class Stream(io.TextIOBase):
    """Standard output or error: each line is handed on as it ends."""

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
    """Names cells by their numbers; Jupyter's names take longer to make than most cells to run."""

    def get_code_name(self, raw_code: str, code: str, number: int) -> str:
        return f"cell_{number}.py"


class Magics(TransformerManager):
    """Looks for magics where there can be any: in a cell that is not Python as it stands."""

    def __init__(self) -> None:
        super().__init__()
        self._usual = list(self.cleanup_transforms)

    def transform_cell(self, cell: str) -> str:
        if self.cleanup_transforms == self._usual and _is_python(cell):
            return cell if cell.endswith("\n") else f"{cell}\n"
        return super().transform_cell(cell)


class StudentShell(ZMQInteractiveShell):
    """A notebook's shell with nobody in front of it."""

    keepkernel_on_exit = True  # `exit` in a cell ends nothing
    input_transformer_manager = Instance(Magics, ())

    def should_run_async(self, raw_cell: str, *, transformed_cell: str, **options: object) -> bool:
        has_word = "await" in transformed_cell or "async" in transformed_cell
        return has_word and super().should_run_async(raw_cell, transformed_cell=transformed_cell, **options)

    def enable_gui(self, gui: str | None = None) -> None:
        self.active_eventloop = gui  # `%matplotlib inline` asks for it, and there is none to enable

    def listen(self, publish: Publish) -> None:
        """From now on, hand on what cells show."""
        owner = os.getpid()

        def from_here(kind: str, content: dict) -> None:
            if os.getpid() == owner:  # what a student's own processes print is nobody's
                publish(kind, content)

        self.displayhook.session.publish = from_here
        sys.stdout, sys.stderr = Stream("stdout", from_here), Stream("stderr", from_here)
        builtins.input = getpass.getpass = _nobody_to_ask


def new_shell() -> StudentShell:
    """Takes long, and may be done before a fork."""
    shell = StudentShell.instance(config=shell_config(), compiler_class=Cells)
    shell.display_pub.session = shell.displayhook.session = Outputs()
    return shell


def shell_config() -> Config:
    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.colors = "nocolor"
    config.InteractiveShell.xmode = "Plain"  # the usual tracebacks take longer to write than most cells to run
    return config


def as_json(kind: str, content: dict) -> bytes:
    return json.dumps([kind, content], default=json_default).encode()


def _is_python(cell: str) -> bool:
    try:
        ast.parse(cell)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return not cell[:1].isspace()  # lines before the first do not count


def _nobody_to_ask(*arguments: object, **options: object) -> str:
    raise RuntimeError("nobody is there to type an answer while a notebook is graded")
