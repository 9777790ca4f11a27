"""IPython's `display`, without importing IPython: only inside a notebook is it loaded and running."""

import sys
from types import ModuleType
from typing import Protocol, runtime_checkable


@runtime_checkable
class Handle(Protocol):
    """An output that can be replaced later."""

    def update(self, thing: object, *, raw: bool = False) -> None: ...


@runtime_checkable
class Display(Protocol):
    """Returns a handle if `display_id` is True, else None."""

    def __call__(self, thing: object, *, raw: bool = False, display_id: bool | None = None) -> Handle: ...


def notebook_display() -> Display | None:
    """`display` inside a notebook; None in plain Python."""
    notebook = _notebook()
    return notebook.display.display if notebook is not None and notebook.get_ipython() is not None else None


def require_display() -> Display:
    """`display` for an `_ipython_display_` method, which only a notebook calls."""
    display = notebook_display()
    if display is None:
        raise RuntimeError("this can be shown in a notebook only")
    return display


def notebook_kernel() -> object | None:
    """The kernel that runs this notebook; None in plain Python and in a terminal."""
    return getattr(notebook_shell(), "kernel", None)


def notebook_shell() -> object | None:
    """What runs the cells, in a notebook or in IPython's terminal; None in plain Python."""
    notebook = _notebook()
    return notebook.get_ipython() if notebook is not None else None


def has_front_end() -> bool:
    """Whether a person runs this cell: a front end lets `input` ask, and nbgrader, nbval and nbconvert do not."""
    return bool(getattr(notebook_kernel(), "_allow_stdin", False))


def _notebook() -> ModuleType | None:
    return sys.modules.get("IPython")
