"""The `course` command, run in this process as a person would run it."""

import pytest

from autograder.cli import main


def run_course(*arguments: object) -> int:
    """The exit code; what it prints is captured by the test's own fixture."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.argv", ["course", *map(str, arguments)])
        try:
            main.main()
        except SystemExit as stop:
            return stop.code or 0
    return 0
