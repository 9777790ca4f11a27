"""The student's process: runs cells and answers requests, one message after another, until the examiner hangs up."""

import sys

from ..protocol.channel import ANSWER, DONE, OUTPUT, QUESTION, REPLY, RUN, Channel
from .agent import Agent
from .shell import StudentShell, as_json


class Student:
    def __init__(self, channel: Channel, shell: StudentShell):
        self._channel, self._shell, self._number = channel, shell, 0
        self._agent = Agent(shell.user_ns, self._ask)
        shell.listen(self._show)

    def serve(self) -> None:
        while True:
            kind, self._number, frames = self._channel.receive()
            if kind == RUN:
                self._shell.run_cell(frames[0].decode(), store_history=True)
                sys.stdout.flush()
                sys.stderr.flush()
                self._channel.send(DONE, self._number)
            else:
                self._channel.send(REPLY, self._number, self._agent.answer(frames))

    def _show(self, kind: str, content: dict) -> None:
        self._channel.send(OUTPUT, self._number, [as_json(kind, content)])

    def _ask(self, frames: list[bytes]) -> list[bytes]:
        """Ask the examiner in the middle of a request."""
        self._channel.send(QUESTION, self._number, frames)
        while (message := self._channel.receive()).kind != ANSWER:
            continue
        return message.frames
