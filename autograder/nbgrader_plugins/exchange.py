"""nbgrader's exchange on a JupyterHub: releases the whole bundle for students, and collects nothing but files."""

import zipfile
from pathlib import Path

from nbgrader.exchange.default import ExchangeCollect, ExchangeReleaseAssignment

from autograder.course.safe_text import printable
from autograder.course.submitted_notebook import LARGEST_FILE
from autograder.outside_files import Refused, files_below, read_below

MOST_FILES = 1_000  # of one submission
MOST_BYTES = 2 * LARGEST_FILE  # of all of them


class ReleaseWithLibrary(ExchangeReleaseAssignment):
    """Releases the student edition of course_lib with the notebook, which imports it."""

    def init_src(self) -> None:
        super().init_src()
        self.bundle = Path(self.src_path).with_suffix(".zip")
        if not self.bundle.exists():  # fail before anything of an earlier release is replaced
            self.fail(f"There is no bundle {self.bundle}: run `course release` first")

    def do_copy(self, src: str, dest: str, log: object = None) -> None:
        super().do_copy(src, dest, log)
        with zipfile.ZipFile(self.bundle) as archive:
            for name in archive.namelist():
                inner = Path(dest, *Path(name).parts[1:])
                inner.parent.mkdir(parents=True, exist_ok=True)
                inner.write_bytes(archive.read(name))


class CollectRegularFiles(ExchangeCollect):
    """Collects copies of files alone: a student owns the folder that is copied, and may have put anything there."""

    def do_copy(self, src: str, dest: str, log: object = None) -> None:
        """Regular files of a bounded size, as if nothing else were there; what is passed over is said in the log."""
        left = MOST_BYTES
        Path(dest).mkdir(parents=True, exist_ok=True)
        for number, (path, refused) in enumerate(files_below(Path(src))):
            try:
                if refused:
                    raise refused
                if number == MOST_FILES:
                    raise Refused(f"it has more than {MOST_FILES} files, of which the first were collected")
                data = read_below(Path(src), path, min(left, LARGEST_FILE))
            except Refused as problem:
                self.log.error("%s: %s", printable(Path(src).name), printable(str(problem)))
                if number == MOST_FILES:
                    return
                continue
            left -= len(data)
            target = Path(dest, path.relative_to(src))
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
