"""Files of others: what is a regular file below a folder is read, all else is refused with a sentence."""

import os
import socket
from pathlib import Path

import pytest

from autograder.outside_files import Missing, Refused, files_below, open_below, read_below, read_named


@pytest.fixture
def root(tmp_path):
    (tmp_path / "secret").write_bytes(b"secret")
    (tmp_path / "root" / "ada").mkdir(parents=True)
    (tmp_path / "root" / "ada" / "work").write_bytes(b"work")
    return tmp_path / "root"


def test_a_file_is_read(root):
    assert read_below(root, root / "ada" / "work", 4) == b"work"
    with open_below(root, root / "ada" / "work") as file:
        assert file.read() == b"work"


def test_the_folder_that_a_person_named_may_be_a_link(root, tmp_path):
    (tmp_path / "link").symlink_to(root)
    assert read_below(tmp_path / "link", tmp_path / "link" / "ada" / "work", 10) == b"work"
    (tmp_path / "shortcut").symlink_to(root / "ada" / "work")
    assert read_named(tmp_path / "shortcut", 10) == b"work"


def pipe(path):
    os.mkfifo(path)


def listen(path):
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(os.path.relpath(path))


@pytest.mark.parametrize(
    ("put", "kind"),
    [
        (pipe, "a named pipe"),
        (listen, "a socket"),
        (lambda path: path.mkdir(), "a folder"),
        (lambda path: path.symlink_to("/dev/zero"), "a symbolic link"),
        (lambda path: path.symlink_to(path.parents[2] / "secret"), "a symbolic link"),
        (lambda path: path.symlink_to(path), "a symbolic link"),
        (lambda path: path.symlink_to("nowhere"), "a symbolic link"),
    ],
    ids=["pipe", "socket", "folder", "device", "link", "circle", "dangling"],
)
def test_what_is_no_file_is_refused_and_named(root, put, kind, monkeypatch):
    monkeypatch.chdir(root)
    put(root / "ada" / "odd")
    with pytest.raises(Refused, match=f"ada/odd is {kind}, expected a file"):
        read_below(root, root / "ada" / "odd", 10)


def test_a_link_in_any_part_of_the_path_is_refused(root, tmp_path):
    (tmp_path / "elsewhere" / "unit").mkdir(parents=True)
    (tmp_path / "elsewhere" / "unit" / "work").write_bytes(b"work")
    (root / "bob").symlink_to(tmp_path / "elsewhere")
    (root / "ada" / "unit").symlink_to(tmp_path / "elsewhere" / "unit")
    for path in (root / "bob" / "unit" / "work", root / "ada" / "unit" / "work"):
        with pytest.raises(Refused, match="is a symbolic link, expected a folder"):
            read_below(root, path, 10)


def test_a_device_is_refused():
    with pytest.raises(Refused, match="is a device"):
        read_named(Path("/dev/zero"), 10)


def test_what_is_too_large_is_refused_before_it_is_read(root):
    with pytest.raises(Refused, match="ada/work has 4 bytes; the most that is read is 3 bytes"):
        read_below(root, root / "ada" / "work", 3)


def test_what_is_not_there_is_missing(root):
    for path in (root / "bob" / "work", root / "ada" / "other"):
        with pytest.raises(Missing, match="is missing"):
            read_below(root, path, 10)
    with pytest.raises(Refused, match="is a file, expected a folder"):
        read_below(root, root / "ada" / "work" / "more", 10)


def test_no_descriptor_stays_open(root):
    (root / "link").symlink_to(root)
    before = len(list(Path("/proc/self/fd").iterdir()))
    for path in (root / "ada" / "work", root / "link" / "ada", root / "ada", root / "no" / "where"):
        for _ in range(5):
            try:
                read_below(root, path, 10)
            except Refused:
                continue
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_a_walk_follows_no_link(root):
    (root / "bob").symlink_to(root.parent)
    os.mkfifo(root / "pipe")
    found = {path.relative_to(root).as_posix(): refused is None for path, refused in files_below(root)}
    assert found == {"ada/work": True, "bob": False, "pipe": False}
