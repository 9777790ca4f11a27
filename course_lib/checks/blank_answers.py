"""In a notebook, a cell that needs an answer which is still blank says so in a sentence, without a traceback."""

import linecache
import traceback
from types import TracebackType
from typing import Protocol, runtime_checkable

from course_lib.notebook_display import notebook_shell

STUBS = ("raise NotImplementedError", "raise NotImplementedError()")


@runtime_checkable
class Shell(Protocol):
    def set_custom_exc(self, kinds: tuple[type[BaseException], ...], handler: object) -> None: ...

    def showtraceback(self, raised: tuple, tb_offset: int | None = None) -> None: ...


def explain_blank_answers() -> None:
    """The cell still fails, for whoever counts errors; other errors of the same kind look as they always do."""
    shell = notebook_shell()
    if isinstance(shell, Shell):
        shell.set_custom_exc((NotImplementedError,), _show)


def _show(
    shell: Shell, kind: type[BaseException], error: BaseException, trace: TracebackType, tb_offset: int | None = None
) -> None:
    sentence = blank_answer(trace)
    if sentence and not hasattr(error, "_render_traceback_"):
        vars(error)["_render_traceback_"] = sentence.splitlines
    shell.showtraceback((kind, error, trace), tb_offset=tb_offset)


def blank_answer(trace: TracebackType) -> str | None:
    """The sentence, if it was the stub of an answer that raised; None if it was anything else."""
    *_, (frame, number) = traceback.walk_tb(trace)
    if linecache.getline(frame.f_code.co_filename, number).strip() not in STUBS:
        return None
    if frame.f_code.co_name == "<module>":
        return "This answer is still blank: write yours, and delete `raise NotImplementedError()`."
    owner = frame.f_locals.get("self")
    name = type(owner).__name__ if owner is not None else frame.f_code.co_name
    return f"`{name}` is not written yet, and this cell needs it.\nCome back when it is; the cells below still run."
