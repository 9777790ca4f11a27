"""nbgrader's exchange, as JupyterHub uses it: what is released there is all that the bundle for students holds."""

import zipfile
from pathlib import Path

from nbgrader.exchange.default import ExchangeReleaseAssignment


class ReleaseWithLibrary(ExchangeReleaseAssignment):
    """The student edition of course_lib goes beside the notebook, so that it works where students fetch it."""

    def do_copy(self, src: str, dest: str, log: object = None) -> None:
        super().do_copy(src, dest, log)
        bundle = Path(src).with_suffix(".zip")
        if not bundle.exists():
            self.fail(f"There is no bundle {bundle}: run `course release` first")
        with zipfile.ZipFile(bundle) as archive:
            for name in archive.namelist():
                inner = Path(dest, *Path(name).parts[1:])
                inner.parent.mkdir(parents=True, exist_ok=True)
                inner.write_bytes(archive.read(name))
