"""Run a command as on a machine that has Python, make and git, but none of the programs that our tests like to find.

    python3 tests/bare_machine.py make demo

It changes nothing: the command gets a PATH without those programs, a home that is empty, and PYTHON for make.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SANDBOX = {"bwrap"}
BROWSERS = {
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
    "firefox",
}
DATABASES = {"psql", "postgres", "pg_ctl", "initdb"}
INSTALLERS = {"uv", "conda", "docker", "podman", "apt-get"}
HIDDEN = SANDBOX | BROWSERS | DATABASES | INSTALLERS
LEFT_BEHIND = ("VIRTUAL_ENV", "PYTHONPATH", "CI", "COURSE_SKIP_NOTHING", "PYTEST_ADDOPTS", "MAKEFLAGS", "MAKELEVEL")


def bare_environment(folder: Path) -> dict[str, str]:
    """An environment whose programs and home are in the folder."""
    programs, home = folder / "programs", folder / "home"
    programs.mkdir()
    home.mkdir()
    for place in os.environ["PATH"].split(os.pathsep):
        for program in Path(place).glob("*"):
            if program.name not in HIDDEN and not os.path.lexists(programs / program.name):
                (programs / program.name).symlink_to(program)
    kept = {name: value for name, value in os.environ.items() if name not in LEFT_BEHIND}
    # Python by its own path: an environment made with a link would end with this folder
    return kept | {"PATH": str(programs), "HOME": str(home), "PYTHON": shutil.which("python3") or sys.executable}


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="bare-") as folder:
        sys.exit(subprocess.run(sys.argv[1:], env=bare_environment(Path(folder))).returncode)
