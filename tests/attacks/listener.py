"""A server on this machine that no submission may reach: on a port, and on an abstract socket."""

import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

PORT, ABSTRACT = 47113, "\0course-attack"


@contextmanager
def listening() -> Iterator[list[str]]:
    """What has connected, meanwhile."""
    heard: list[str] = []
    with ExitStack() as stack:
        for family, address in ((socket.AF_INET, ("127.0.0.1", PORT)), (socket.AF_UNIX, ABSTRACT)):
            server = stack.enter_context(socket.socket(family))
            server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            server.bind(address)
            server.listen()
            threading.Thread(target=_accept, args=(server, heard), daemon=True).start()
        yield heard


def _accept(server: socket.socket, heard: list[str]) -> None:
    while True:
        try:
            connection, _ = server.accept()
        except OSError:  # closed
            return
        heard.append(str(connection.getsockname()))
        connection.close()
