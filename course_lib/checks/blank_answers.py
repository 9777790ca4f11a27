"""In a notebook, a cell that needs an answer which is still blank says so in a sentence, without a traceback."""

from types import TracebackType
from typing import Protocol, runtime_checkable

from course_lib.checks.student_frames import stub_frames
from course_lib.notebook_display import notebook_shell


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
    shell: Shell,
    kind: type[NotImplementedError],
    error: NotImplementedError,
    trace: TracebackType,
    tb_offset: int | None = None,
) -> None:
    sentence = blank_answer(error)
    if sentence and not hasattr(error, "_render_traceback_"):
        vars(error)["_render_traceback_"] = sentence.splitlines
    shell.showtraceback((kind, error, trace), tb_offset=tb_offset)


def blank_answer(error: NotImplementedError) -> str | None:
    """The sentence, if the stub of an answer raised this; None if it was anything else."""
    frames = [] if error.args else stub_frames(error)
    if not frames:
        return None
    stub = frames[-1].answer
    if stub == "<module>":
        return "This answer is still blank: write yours, and delete `raise NotImplementedError()`."
    return f"`{stub}` is not written yet, and this cell needs it.\nCome back when it is; the cells below still run."
