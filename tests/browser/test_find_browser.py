"""A browser is taken only if it starts, and looking for one comes to an end."""

import os
import select
import subprocess
import sys
from pathlib import Path

import pytest

from browser import find_browser

SCRIPT = Path(find_browser.__file__)


@pytest.fixture
def looking(tmp_path):
    """What the script says on a machine with these programs, each of which ends with its exit code."""

    def look(**programs):
        for name, code in programs.items():
            program = tmp_path / name.replace("_", "-")
            program.write_text(f"#!/bin/sh\nexit {code}\n", "utf-8")
            program.chmod(0o755)
        there = {"PATH": str(tmp_path), "HOME": str(tmp_path), "PLAYWRIGHT_BROWSERS_PATH": str(tmp_path / "none")}
        environment = {**os.environ, **there, find_browser.NO_DOWNLOADS: "1"}
        return subprocess.run(
            [sys.executable, SCRIPT], env=environment, capture_output=True, text=True, check=True
        ).stdout

    return look


@pytest.mark.skipif(sys.platform == "darwin", reason="on macOS, browsers are found outside of the PATH")
def test_a_browser_that_does_not_start_is_not_there(looking, tmp_path):
    assert find_browser.MISSING in looking(chromium=1)
    assert f"drive {tmp_path / 'microsoft-edge'}." in looking(chromium=1, microsoft_edge=0)
    assert f"drive {tmp_path / 'google-chrome'}." in looking(chromium=1, google_chrome=0)


def test_what_takes_too_long_is_ended_with_all_that_it_started(tmp_path):
    pipe = tmp_path / "held open"
    os.mkfifo(pipe)
    with os.fdopen(os.open(pipe, os.O_RDONLY | os.O_NONBLOCK), "rb") as end:
        assert not find_browser._runs("sh", "-c", 'tail -f /dev/null > "$0" & wait', str(pipe), seconds=1)
        select.select([end], [], [], 60)
        assert end.read() == b""  # the end, to which it comes once nobody holds the pipe


def test_what_cannot_be_started_does_not_run():
    assert not find_browser._runs("no such program", seconds=60)
    assert find_browser._runs(sys.executable, "--version", seconds=60)
