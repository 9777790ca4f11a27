"""nbgrader's exchange on a JupyterHub: releases the whole bundle for students, not the notebook alone."""

import zipfile
from pathlib import Path

from nbgrader.exchange.default import ExchangeReleaseAssignment


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
