"""A server on this machine that no submission may reach: on a port, and on an abstract socket."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

WRITTEN_PORT = b"47113"  # in the attack on the network, in place of the one that is free


@dataclass
class Listener:
    """`heard` is what has connected so far."""

    port: int
    heard: list[str] = field(default_factory=list)

    def address(self, data: bytes) -> bytes:
        """The attack with this listener's port in it."""
        return data.replace(WRITTEN_PORT, str(self.port).encode())


@contextmanager
def listening() -> Iterator[Listener]:
    with socket.socket(socket.AF_INET) as server, socket.socket(socket.AF_UNIX) as abstract:
        server.bind(("127.0.0.1", 0))
        listener = Listener(server.getsockname()[1])
        abstract.bind(f"\0course-attack-{listener.port}")
        for one in (server, abstract):
            one.listen()
            threading.Thread(target=_accept, args=(one, listener.heard), daemon=True).start()
        yield listener


def _accept(server: socket.socket, heard: list[str]) -> None:
    while True:
        try:
            connection, _ = server.accept()
        except OSError:  # closed
            return
        heard.append(str(connection.getsockname()))
        connection.close()
