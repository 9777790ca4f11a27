"""nbgrader's exchange, as on JupyterHub; tests/test_instructor_guide.py goes all the way there and back."""

import os
import subprocess
import sys
from pathlib import Path

from autograder.nbgrader_plugins.exchange import CollectRegularFiles


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


def test_a_folder_with_a_hostile_name_stops_no_other(directory, tmp_path):
    collect = CollectRegularFiles(coursedir=directory.coursedir())
    for name in ("..+unit+2027-01-01 00:00:00 UTC", "eve+unit+\x1b[2J", "eve+unit", "ada+unit+2027-01-01 00:00:00 UTC"):
        (tmp_path / name).mkdir()
    (tmp_path / "bob+unit+2027-01-01 00:00:00 UTC").symlink_to(directory.root)
    records = [collect._path_to_record(str(path)) for path in sorted(tmp_path.glob("*+*"))]
    assert [record["username"] for record in records if record["username"]] == ["ada"]


def test_what_a_student_put_into_the_exchange_is_collected_as_files_alone(directory, unit, tmp_path):
    inbound, collected = tmp_path / "inbound", tmp_path / "collected"
    (inbound / "data").mkdir(parents=True)
    (inbound / unit.notebook.name).write_text("mine")
    (inbound / "data" / "table.csv").write_text("1")
    (inbound / "solution.ipynb").symlink_to(directory.source(unit))
    (inbound / "source").symlink_to(directory.source(unit).parent)
    os.mkfifo(inbound / "pipe")
    CollectRegularFiles(coursedir=directory.coursedir()).do_copy(str(inbound), str(collected))
    found = {path.relative_to(collected).as_posix() for path in collected.rglob("*") if path.is_file()}
    assert found == {unit.notebook.name, "data/table.csv"}
