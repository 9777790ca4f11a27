"""What a person waits for before anything is computed: the CPU time of light commands, and the size of an install.

What is added to the command line goes to pip: torch for Linux has gigabytes for graphics cards with it, unless
`--extra-index-url https://download.pytorch.org/whl/cpu` finds one without.
"""

import json
import os
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path
from urllib.parse import unquote, urlsplit

from autograder.classroom.directory import init_class
from autograder.course.units import ROOT

REPEATS = 3
COMMANDS = (
    "--help",
    "--version",
    "init another",
    "roster class people.csv",
    "roster class nowhere.csv",
    "release class 01 --due tomorrow",
    "collect class 99 people.csv",
    "grade nowhere 01",
    "grade class 99",
    "grade class 01 --sandbox foo",
    "export class --to excel",
    "history class 01 ada",
    "report class 99",
    "lab 99",
    "check nowhere.ipynb",
)


def main() -> None:
    print("| command | CPU seconds, best of three |\n|:--|--:|")
    with tempfile.TemporaryDirectory() as folder:
        for command in COMMANDS:
            print(f"| `course {command}` | {min(_seconds(command, folder) for _ in range(REPEATS)):.2f} |")
    sizes = _downloads()
    largest = sorted(sizes, key=sizes.get, reverse=True)[:5]
    print("\n| a fresh install on Linux | MB |\n|:--|--:|")
    print(f"| all {len(sizes)} packages | {sum(sizes.values()) / 1e6:.0f} |")
    for name in largest:
        print(f"| {name} | {sizes[name] / 1e6:.0f} |")


def _seconds(command: str, folder: str) -> float:
    """User and system time of one run, in a class of its own."""
    with tempfile.TemporaryDirectory(dir=folder) as place:
        init_class(Path(place, "class"))
        Path(place, "people.csv").write_text("id,name\nada,Ada Lovelace\n", "utf-8")
        line = [sys.executable, "-m", "autograder", *command.split()]
        process = subprocess.Popen(line, cwd=place, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        used = os.wait4(process.pid, 0)[2]
        return used.ru_utime + used.ru_stime


def _downloads() -> dict[str, int]:
    """The bytes of each file that pip would fetch for `make`, by the name of the package."""
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--ignore-installed", "--report", "-"]
    line = [*pip, *sys.argv[1:], "-c", ROOT / "constraints.txt", f"{ROOT}[test,sandbox]"]
    report = json.loads(subprocess.run(line, stdout=subprocess.PIPE, text=True, check=True).stdout)
    return {
        f"{one['metadata']['name']} {one['metadata']['version']}": _size(one["download_info"]["url"])
        for one in report["install"]
    }


def _size(url: str) -> int:
    parts = urlsplit(url)
    if parts.scheme == "file":
        path = Path(unquote(parts.path))
        return path.stat().st_size if path.is_file() else 0  # the course itself is here already
    with urllib.request.urlopen(urllib.request.Request(url, method="HEAD"), timeout=60) as answer:
        return int(answer.headers["Content-Length"])


if __name__ == "__main__":
    main()
