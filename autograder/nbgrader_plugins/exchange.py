"""nbgrader's exchange on a JupyterHub: releases the whole bundle for students, and collects nothing but files."""

import zipfile
from datetime import datetime
from pathlib import Path
from typing import Any

from nbgrader.exchange.default import ExchangeCollect, ExchangeReleaseAssignment

from autograder.classroom.student_id import require_student_id
from autograder.course.safe_text import printable
from autograder.course.submitted_notebook import LARGEST_FILE
from autograder.outside_files import Refused, files_below, read_below

NOBODY = ""
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

    src_records: list[dict[str, Any]]

    def _path_to_record(self, path: str) -> dict[str, Any]:
        """What the name of a folder says of its student and time; a name that says neither stops no other's."""
        try:
            record: dict[str, Any] = super()._path_to_record(path)
            require_student_id(record["username"])
            if Path(path).is_symlink() or not Path(path).is_dir():
                raise Refused("it is no folder")
        except Exception as problem:  # of any kind: the time is any text
            self.log.error("%s is not collected: %s", printable(Path(path).name), printable(str(problem)))
            return {"username": NOBODY, "filename": "", "timestamp": datetime.min}
        return record

    def copy_files(self) -> None:
        self.src_records = [record for record in self.src_records if record["username"] != NOBODY]
        super().copy_files()

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
