"""`course lab`: what it starts JupyterLab with, and what it says when it cannot."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from jupyter_client.kernelspec import KernelSpecManager
from jupyter_core.paths import jupyter_config_path
from jupyter_server.extension.config import ExtensionConfigManager
from jupyterlab.labapp import LabApp
from jupyterlab_server.config import get_page_config

from autograder.course.units import NOTEBOOKS, ROOT
from autograder.lab.server import SERVER_EXTENSIONS, session_environment


@pytest.fixture
def started(monkeypatch):
    """What JupyterLab would have been started with: its arguments and its environment."""
    starts = []
    monkeypatch.setenv("JUPYTER_CONFIG_PATH", "")
    monkeypatch.setenv("JUPYTER_PATH", "")
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    monkeypatch.setattr(LabApp, "launch_instance", lambda arguments: starts.append((arguments, dict(os.environ))))
    return starts


def opening(copy):
    return [f"--ServerApp.root_dir={copy.parent}", f"--LabApp.default_url=/lab/tree/{copy.name}"]


def test_it_opens_the_unit_in_the_students_folder(course, tmp_path, started):
    mine = tmp_path / "a folder" / "mine"
    assert course("lab", "1", "--folder", mine)[0] == 0
    assert started[0][0] == opening(mine / "01_cross_attention_shapes.ipynb")
    assert (mine / "01_cross_attention_shapes.ipynb").exists()


def test_without_a_unit_it_opens_the_folder_with_a_copy_of_each(course, tmp_path, started):
    assert course("lab", "--folder", tmp_path / "mine")[0] == 0
    assert started[0][0] == [f"--ServerApp.root_dir={tmp_path / 'mine'}"]
    assert {path.name for path in (tmp_path / "mine").iterdir()} == {path.name for path in NOTEBOOKS.glob("*.ipynb")}


def test_options_reach_jupyter(course, tmp_path, started, monkeypatch):
    monkeypatch.setattr("os.geteuid", lambda: 0)
    options = ("--no-browser", "--port", "9123", "--allow-root")
    assert course("lab", "01", "--folder", tmp_path / "mine", *options)[0] == 0
    assert started[0][0][2:] == ["--no-browser", "--ServerApp.port=9123", "--allow-root"]


def test_a_new_release_is_told_and_opened_on_request(course, tmp_path, started):
    copy = tmp_path / "mine" / "01_cross_attention_shapes.ipynb"
    course("lab", "01", "--folder", copy.parent)
    notebook = json.loads(copy.read_text("utf-8"))
    notebook["metadata"]["course"]["release"] = "of last year"
    copy.write_text(json.dumps(notebook), "utf-8")
    code, printed = course("lab", "01", "--folder", copy.parent)
    assert code == 0
    assert "`course lab 01 --new` puts the latest release beside it" in printed
    assert started[-1][0] == opening(copy)
    code, printed = course("lab", "01", "--new", "--folder", copy.parent)
    assert "is the latest release of unit 01" in printed
    assert started[-1][0] == opening(copy.with_name("01_cross_attention_shapes_new.ipynb"))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("99",), "there is no unit '99'; the units are: 00_start_here, 01_"),
        (("01", "--folder", "/proc/mine"), "/proc/mine cannot hold your copies of the notebooks"),
        (("01", "--folder", "/dev/null"), "/dev/null cannot hold your copies of the notebooks (File exists)"),
        (("01", "--folder", NOTEBOOKS), "holds the course's own files"),
        (("01", "--folder", ROOT / "solutions" / "mine"), "holds the course's own files"),
        (("--new",), "--new needs the unit"),
    ],
)
def test_a_sentence_when_it_cannot_start(course, tmp_path, monkeypatch, started, arguments, sentence):
    monkeypatch.chdir(tmp_path)
    code, printed = course("lab", *arguments)
    assert code == 1
    assert sentence in printed.replace("\n", " ")
    assert "Traceback" not in printed
    assert not started


def test_it_says_when_jupyterlab_is_missing(course, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "jupyterlab.labapp", None)
    code, printed = course("lab", "01", "--folder", tmp_path / "mine")
    assert code == 1
    assert "JupyterLab is not installed for" in printed
    assert "pip install" in printed


def test_it_does_not_start_as_root_unasked(course, tmp_path, started, monkeypatch):
    monkeypatch.setattr("os.geteuid", lambda: 0)
    code, printed = course("lab", "01", "--folder", tmp_path / "mine")
    assert code == 1
    assert "--allow-root" in printed
    assert not started


def test_the_session_has_validate_whatever_the_user_has_set(tmp_path, monkeypatch):
    user = tmp_path / "user"
    (user / "labconfig").mkdir(parents=True)
    theirs = {"disabledExtensions": {"@jupyter/nbgrader:validate-assignment": True, "theirs": True}}
    (user / "labconfig" / "page_config.json").write_text(json.dumps(theirs))
    monkeypatch.setenv("JUPYTER_CONFIG_DIR", str(user))
    assert "@jupyter/nbgrader:validate-assignment" in get_page_config([])["disabledExtensions"]
    for name, value in session_environment(tmp_path / "session", {}).items():
        monkeypatch.setenv(name, value)
    disabled = get_page_config([])["disabledExtensions"]
    assert "@jupyter/nbgrader:validate-assignment" not in disabled
    assert "@jupyter/nbgrader:formgrader" in disabled
    assert "theirs" in disabled
    assert json.loads((user / "labconfig" / "page_config.json").read_text()) == theirs
    extensions = ExtensionConfigManager(read_config_path=jupyter_config_path()).get_jpserver_extensions()
    assert extensions.items() >= SERVER_EXTENSIONS.items()
    assert extensions["nbgrader.server_extensions.validate_assignment"]
    assert extensions["jupyterlab"]


def test_the_kernel_has_the_course_wherever_it_starts(tmp_path, monkeypatch):
    theirs = tmp_path / "theirs" / "kernels" / "python3"
    theirs.mkdir(parents=True)
    (theirs / "kernel.json").write_text('{"argv": ["false"], "display_name": "another", "language": "python"}')
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(theirs.parent.parent))
    for name, value in session_environment(tmp_path / "session", {}).items():
        monkeypatch.setenv(name, value)
    spec = KernelSpecManager().get_kernel_spec("python3")
    assert spec.argv[0] == sys.executable
    found = subprocess.run(
        [spec.argv[0], "-c", "import course_lib, ipykernel; print(course_lib.__file__)"],
        env={"PATH": "", **spec.env},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert Path(found.stdout.strip()) == ROOT / "course_lib" / "__init__.py"
