"""The main loop of a student's process: run cells and answer requests until the examiner closes the socket."""

import sys

from ..protocol.channel import ANSWER, DONE, OUTPUT, QUESTION, REPLY, RUN, Channel
from .agent import Agent
from .shell import Content, StudentShell, as_json


class MainLoop:
    def __init__(self, channel: Channel, shell: StudentShell):
        self._channel, self._shell = channel, shell
        self._number = 0  # of the message that is being answered
        self._agent = Agent(shell.user_ns, self._ask_examiner)
        shell.publish_to(self._send_output)

    def serve(self) -> None:
        """Serve until EOFError."""
        while True:
            kind, self._number, frames = self._channel.receive()
            if kind == RUN:
                self._shell.run_cell(frames[0].decode(), store_history=True)  # type: ignore[no-untyped-call]  # IPython
                sys.stdout.flush()
                sys.stderr.flush()
                self._channel.send(DONE, self._number)
            else:
                self._channel.send(REPLY, self._number, self._agent.answer(frames))

    def _send_output(self, kind: str, content: Content) -> None:
        self._channel.send(OUTPUT, self._number, [as_json(kind, content)])

    def _ask_examiner(self, frames: list[bytes]) -> list[bytes]:
        """Send a callback in the middle of a request, and wait for what it returns."""
        self._channel.send(QUESTION, self._number, frames)
        while (message := self._channel.receive()).kind != ANSWER:
            continue
        return message.frames
