"""Each test file in a process of its own, one worker, its tests in random order: none may lean on another.

python tests/alone.py [FILE OR FOLDER ...]
"""

import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).parent
ALONE = ("-m", "pytest", "-q", "-p", "no:xdist", "-p", "randomly", "-p", "no:cacheprovider")
NOTHING_COLLECTED = 5


def files(places: list[Path]) -> list[Path]:
    found = {file for place in places for file in ([place] if place.is_file() else place.rglob("test_*.py"))}
    return sorted(found)


def main() -> None:
    failed = []
    for file in files([Path(place) for place in sys.argv[1:]] or [TESTS]):
        done = subprocess.run([sys.executable, *ALONE, file], capture_output=True, text=True)
        print(file, done.stdout.strip().rpartition("\n")[2], flush=True)
        if done.returncode not in (0, NOTHING_COLLECTED):
            failed.append(done.stdout)
    if failed:
        raise SystemExit("\n".join(failed))


if __name__ == "__main__":
    main()
