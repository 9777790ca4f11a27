"""nbgrader's exchange, as on JupyterHub; tests/test_instructor_guide.py goes all the way there and back."""

import os
import subprocess
import sys
from pathlib import Path


def test_without_the_bundle_the_release_is_refused(directory, unit, tmp_path):
    (directory.root / "release" / f"{unit.full_name}.zip").unlink()
    exchange, home = tmp_path / "exchange", tmp_path / "home"
    exchange.mkdir()
    exchange.chmod(0o777)
    done = subprocess.run(
        [Path(sys.executable).parent / "nbgrader", "release_assignment", unit.full_name, f"--Exchange.root={exchange}"],
        cwd=directory.root,
        env=os.environ | {"HOME": str(home), "JUPYTER_DATA_DIR": str(home), "JUPYTER_CONFIG_DIR": str(home)},
        capture_output=True,
        text=True,
    )
    assert done.returncode != 0
    assert "run `course release` first" in done.stdout + done.stderr
    assert not list(exchange.rglob("*.ipynb"))
