"""Attacks on the files of a submission: each puts something else where a blank notebook or a note beside it lies."""

import os
import shutil
import socket
from pathlib import Path

from autograder.classroom.notes import SECRET, TIMESTAMP


def pipe_as_notebook(notebook: Path, root: Path) -> None:
    """Hands in a named pipe, so that whoever opens it waits for ever."""
    notebook.unlink()
    os.mkfifo(notebook)


def link_to_the_source(notebook: Path, root: Path) -> None:
    """Hands in a symbolic link to the class's own source notebook, which has every answer."""
    notebook.unlink()
    notebook.symlink_to(root / "source" / notebook.parent.name / notebook.name)


def link_to_the_source_folder(notebook: Path, root: Path) -> None:
    """Hands in a symbolic link to the folder of the class's source notebook."""
    shutil.rmtree(notebook.parent)
    notebook.parent.symlink_to(root / "source" / notebook.parent.name)


def device_as_notebook(notebook: Path, root: Path) -> None:
    """Hands in a link to a device whose zeros never end."""
    notebook.unlink()
    notebook.symlink_to("/dev/zero")


def socket_as_notebook(notebook: Path, root: Path) -> None:
    """Hands in a socket of this machine."""
    notebook.unlink()
    with socket.socket(socket.AF_UNIX) as server:
        folder = os.open(notebook.parent, os.O_RDONLY)
        server.bind(f"/proc/self/fd/{folder}/{notebook.name}")  # the path itself is longer than a socket's may be
        os.close(folder)


def folder_as_notebook(notebook: Path, root: Path) -> None:
    """Hands in a folder that is called like the notebook."""
    notebook.unlink()
    notebook.mkdir()


def hostile_timestamp(notebook: Path, root: Path) -> None:
    """Puts bytes that are no text, and no time, into the timestamp beside its notebook."""
    notebook.with_name(TIMESTAMP).write_bytes(b"\xff\xfe\x1b]0;x\x07 9999-99-99 ../../../dev/zero")


def timestamp_as_pipe(notebook: Path, root: Path) -> None:
    """Puts a named pipe in place of the timestamp beside its notebook."""
    notebook.with_name(TIMESTAMP).unlink()
    os.mkfifo(notebook.with_name(TIMESTAMP))


def link_to_the_key(notebook: Path, root: Path) -> None:
    """Links the note that is copied beside its feedback to the secret key of the class."""
    notebook.with_name(SECRET).symlink_to(root / "secret.key")


PLACED = {
    place.__name__: place
    for place in (
        *(pipe_as_notebook, link_to_the_source, link_to_the_source_folder, device_as_notebook, socket_as_notebook),
        *(folder_as_notebook, hostile_timestamp, timestamp_as_pipe, link_to_the_key),
    )
}
