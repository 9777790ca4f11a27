"""Folders of processes that were killed are removed by the next one; those in use, and those of others, stay."""

import fcntl

from autograder.sandbox import own_folder
from autograder.sandbox.own_folder import LOCK, remove_abandoned


def test_only_what_nobody_holds_is_removed(tmp_path, monkeypatch):
    elsewhere = tmp_path / "elsewhere"
    for folder in ("course-abandoned", "course-in-use", "course-being-made", "course-linked", "mine"):
        (tmp_path / folder / "edition").mkdir(parents=True)
        if folder != "course-being-made":
            (tmp_path / folder / LOCK).touch()
    (tmp_path / "course-linked" / LOCK).unlink()
    elsewhere.write_text("kept")
    (tmp_path / "course-linked" / LOCK).symlink_to(elsewhere)
    with (tmp_path / "course-in-use" / LOCK).open() as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        remove_abandoned(tmp_path)
    left = {path.name for path in tmp_path.glob("*-*")}
    assert left == {"course-in-use", "course-being-made", "course-linked"}
    assert (tmp_path / "mine").exists()
    assert elsewhere.read_text() == "kept"


def test_a_folder_is_in_use_while_its_file_is_open(tmp_path, monkeypatch):
    monkeypatch.setattr(own_folder.tempfile, "gettempdir", lambda: str(tmp_path))
    monkeypatch.setattr(own_folder.tempfile, "tempdir", str(tmp_path))
    first, file = own_folder.own_folder()
    second, other = own_folder.own_folder()
    assert first.exists()
    file.close()
    third, last = own_folder.own_folder()
    assert (first.exists(), second.exists(), third.exists()) == (False, True, True)
    other.close()
    last.close()
