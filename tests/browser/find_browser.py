"""The browser that tests drive: an installed one, else Playwright's own, else Debian's.

`make test` runs this file before the tests, and only then anything is fetched; the tests take what is there.
"""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import sync_playwright

NO_DOWNLOADS = "COURSE_NO_DOWNLOADS"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
NAMES_OF_EDGE = ("microsoft-edge", "microsoft-edge-stable")
APPLICATIONS = ("Chromium", "Google Chrome", "Microsoft Edge")  # on macOS
MISSING = (
    "there is no browser here that tests could drive: install Chromium, Chrome or Edge "
    "(`apt-get install chromium` on Debian), or run `python -m playwright install chromium`"
)
TO_START = 60  # seconds
TO_FETCH = 240
APT = ("apt-get", "-qq", "-o", "Acquire::Retries=0", "-o", "Acquire::http::Timeout=10")


def find_browser() -> Path | None:
    """The first that starts: one that does not is like one that is not there."""
    return next(filter(_starts, _candidates()), None)


def _candidates() -> Iterator[Path]:
    yield from (Path(found) for name in NAMES + NAMES_OF_EDGE if (found := shutil.which(name)))
    for folder in (Path("/Applications"), Path.home() / "Applications"):
        yield from (folder / f"{name}.app" / "Contents" / "MacOS" / name for name in APPLICATIONS)
    with sync_playwright() as playwright:
        own = playwright.chromium.executable_path
    yield Path(own)


def _starts(program: Path) -> bool:
    return program.is_file() and _runs(str(program), "--version", seconds=TO_START)


def fetch_browser() -> Path | None:
    """What cannot be reached or takes too long is given up."""
    os.environ["PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT"] = "10000"
    _runs(sys.executable, "-m", "playwright", "install", "--no-shell", "chromium", seconds=TO_FETCH)
    browser = find_browser()
    if browser is None and os.geteuid() == 0 and shutil.which("apt-get") and not _debian_has_it():
        os.environ["DEBIAN_FRONTEND"] = "noninteractive"
        _runs(*APT, "update", seconds=TO_FETCH)
        _runs(*APT, "install", "--yes", "--no-install-recommends", "chromium", seconds=TO_FETCH)
        browser = find_browser()
    return browser


def _debian_has_it() -> bool:
    asked = subprocess.run(
        ["dpkg-query", "--show", "--showformat=${db:Status-Status}", "chromium"], capture_output=True
    )
    return asked.stdout == b"installed"


def _runs(*command: str, seconds: float) -> bool:
    """Whether it ends well within that time; it ends then in any case, with all that it has started."""
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    try:
        process = subprocess.Popen(command, start_new_session=True, **quiet)
    except OSError:
        return False
    try:
        return process.wait(seconds) == 0
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return False


if __name__ == "__main__":
    browser = find_browser()
    if browser is None and os.environ.get(NO_DOWNLOADS) != "1":
        print(f"No browser is installed: trying to fetch one ({NO_DOWNLOADS}=1 does not try).", flush=True)
        browser = fetch_browser()
    print(f"Tests in a browser drive {browser}." if browser else f"Tests in a browser will be skipped: {MISSING}.")
