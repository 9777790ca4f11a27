"""Seconds for one submission to unit 01: `course grade` beside `nbgrader autograde`, on the same class, in one run."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from autograder.demo import make_class

BIN = Path(sys.executable).parent


def seconds(command: list, root: Path) -> float:
    env = os.environ | {"PATH": os.pathsep.join([str(BIN), os.environ["PATH"]])}
    start = time.monotonic()
    subprocess.run(command, cwd=root, env=env, check=True, capture_output=True)
    return time.monotonic() - start


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        directory, unit = make_class(Path(folder))
        copy = Path(folder) / "stock"
        shutil.copytree(directory.root, copy)
        count = len(directory.students(unit))
        stock = seconds([BIN / "nbgrader", "autograde", unit.full_name], copy) / count
        ours = seconds([BIN / "course", "grade", directory.root, unit.id], directory.root) / count
        again = seconds([BIN / "course", "grade", directory.root, unit.id], directory.root) / count
    print(f"class of {count} on unit {unit.id}, seconds for one submission")
    print(f"  nbgrader autograde        {stock:6.2f}")
    print(f"  course grade              {ours:6.2f}   ({stock / ours:.1f} times as fast)")
    print(f"  course grade, unchanged   {again:6.2f}   ({stock / again:.1f} times as fast)")


if __name__ == "__main__":
    main()
