"""A real Jupyter server on this machine's loopback, with a home of its own."""

import os
import queue
import re
import secrets
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

ADDRESS = re.compile(r"(http://127\.0\.0\.1:\d+)(/\S*)\?token=")
SECONDS = 120
COURSE = (sys.executable, "-c", "from autograder.cli.main import main; main()")


@dataclass
class Server:
    """`start` is the address that a person is told to open; `said` is what it has printed."""

    address: str
    start: str
    token: str
    said: list[str] = field(default_factory=list)

    def url(self, path: str) -> str:
        return f"{self.address}{path}?token={self.token}"

    def fresh(self, path: str) -> str:
        """The same in JupyterLab with nothing else open, whatever was open before."""
        return f"{self.url(path)}&reset"


@contextmanager
def running(command: Sequence[str], folder: Path, home: Path) -> Iterator[Server]:
    """Start the command in a folder, wait until it tells its address, and end it afterwards."""
    home.mkdir(parents=True, exist_ok=True)
    token = secrets.token_hex(16)
    process = subprocess.Popen(
        command,
        cwd=folder,
        env=_environment(home) | {"JUPYTER_TOKEN": token},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    said: list[str] = []
    found: queue.Queue[re.Match | None] = queue.Queue()
    reader = threading.Thread(target=_read, args=(process, said, found))
    reader.start()
    try:
        address = found.get(timeout=SECONDS)
        assert address is not None, f"the server ended by itself: {''.join(said)}"
        yield Server(address[1], f"{address[1]}{address[2]}?token={token}", token, said)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(SECONDS)
        reader.join(SECONDS)
        process.stdout.close()


def _read(process: subprocess.Popen, said: list[str], found: queue.Queue) -> None:
    for line in process.stdout:
        said.append(line)
        if match := ADDRESS.search(line):
            found.put(match)
    found.put(None)


def _environment(home: Path) -> dict[str, str]:
    """Nothing of the person's own settings, which a test must neither depend on nor change."""
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("JUPYTER", "IPYTHON", "NBGRADER"))
    }
    temporary = home / "tmp"
    temporary.mkdir(exist_ok=True)
    return kept | {"HOME": str(home), "TMPDIR": str(temporary), "XDG_CONFIG_HOME": str(home / "config")}
