"""Windows, as far as Python on Linux can play it: commands run without the modules and functions that only Unix has.

Some packages go by the platform's name and not by what is there, so on Linux they need what on Windows they do not:
these are imported before it is taken away.
"""

import os
import subprocess
import sys

BY_NAME = ("autograder", "nbgrader.utils", "nbgrader.exchange", "psutil")
TAKE_AWAY = """
import os, signal, subprocess, sys
from importlib import import_module

for name in os.environ.get("BY_NAME", "").split():
    import_module(name)
for name in ("fcntl", "resource", "pwd", "grp", "termios"):
    sys.modules[name] = None
for name in ("fork", "forkpty", "register_at_fork", "geteuid", "getegid", "killpg", "setsid", "mkfifo"):
    delattr(os, name)
for name in ("SIGCHLD", "SIGALRM", "SIGHUP", "setitimer", "alarm"):
    delattr(signal, name)
sys.modules["msvcrt"] = type(sys)("msvcrt")
sys.modules["msvcrt"].LK_NBLCK, sys.modules["msvcrt"].locking = 2, lambda file, mode, size: None
"""


def start_without_unix(folder, *arguments, by_name=BY_NAME):
    """Start a command of the course in a folder."""
    (folder / "sitecustomize.py").write_text(TAKE_AWAY, "utf-8")
    return subprocess.Popen(
        [sys.executable, "-m", "autograder", *arguments],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(folder), "BY_NAME": " ".join(by_name), "USER": "x", "COLUMNS": "200"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def run_without_unix(folder, *arguments, by_name=(*BY_NAME, "torch")):
    """The exit code of a command, and what it says."""
    process = start_without_unix(folder, *arguments, by_name=by_name)
    said, _ = process.communicate()
    return process.returncode, said
