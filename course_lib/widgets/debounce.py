"""Debouncing: run a slow action, such as drawing, once the typing pauses."""

import asyncio
from collections.abc import Callable

SECONDS = 0.4


class AtPause:
    """Calls an action once, SECONDS after the last request; immediately where no event loop runs."""

    def __init__(self, action: Callable[[], None]):
        self._action = action
        self._due: asyncio.TimerHandle | None = None

    def __call__(self) -> None:
        if self._due is not None:
            self._due.cancel()
        try:
            self._due = asyncio.get_running_loop().call_later(SECONDS, self._action)
        except RuntimeError:
            self._action()
