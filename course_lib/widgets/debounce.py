"""What can wait until a person pauses: a slow drawing should not run at every key."""

import asyncio
from collections.abc import Callable

SECONDS = 0.4


class AtPause:
    """Calls an action once, some time after the last of many requests; at once where no kernel keeps time."""

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
