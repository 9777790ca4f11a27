"""Run JupyterLab for a student with settings of its own, leaving the user's Jupyter configuration untouched."""

import json
import os
import shlex
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from autograder.course.units import IN_REPOSITORY, ROOT
from autograder.errors import CourseError

SERVER_EXTENSIONS = {
    "nbgrader.server_extensions.validate_assignment": True,
    # for instructors, or in need of nbgrader's exchange folder, without which they report errors
    "nbgrader.server_extensions.formgrader": False,
    "nbgrader.server_extensions.assignment_list": False,
    "nbgrader.server_extensions.course_list": False,
}
DISABLED_PLUGINS = {
    "@jupyter/nbgrader": False,
    "@jupyter/nbgrader:validate-assignment": False,
    "@jupyter-widgets/jupyterlab-manager": False,
    "@jupyter/nbgrader:menu": True,
    "@jupyter/nbgrader:formgrader": True,
    "@jupyter/nbgrader:assignment-list": True,
    "@jupyter/nbgrader:course-list": True,
    "@jupyter/nbgrader:create-assignment": True,
    # asks on the first start whether to fetch news from the internet
    "@jupyterlab/apputils-extension:announcements": True,
}


def start_lab(
    folder: Path, notebook: Path | None, *, browser: bool = True, port: int | None = None, allow_root: bool = False
) -> None:
    """Run JupyterLab in a folder, with a notebook or the file browser open, until it is shut down."""
    try:
        from jupyterlab.labapp import LabApp
    except ImportError:
        raise CourseError(
            f"JupyterLab is not installed for {sys.executable}: "
            f"run `{shlex.quote(sys.executable)} -m pip install jupyterlab`"
        ) from None
    if hasattr(os, "geteuid") and os.geteuid() == 0 and not allow_root:
        raise CourseError(
            "JupyterLab should not run as root, because every cell could then change the whole machine: "
            "start it as an ordinary user, or add --allow-root if this is a container"
        )
    with tempfile.TemporaryDirectory(prefix="course-lab-") as session:
        os.environ.update(session_environment(Path(session), os.environ))
        LabApp.launch_instance(lab_arguments(folder, notebook, browser, port, allow_root))


def lab_arguments(
    folder: Path, notebook: Path | None, browser: bool, port: int | None, allow_root: bool = False
) -> list[str]:
    """The command line of JupyterLab."""
    arguments = [f"--ServerApp.root_dir={folder}"]
    # The default URL is also the one printed when no browser is opened.
    arguments += [f"--LabApp.default_url=/lab/tree/{quote(notebook.name)}"] if notebook else []
    arguments += [] if browser else ["--no-browser"]
    arguments += [] if port is None else [f"--ServerApp.port={port}"]
    arguments += ["--allow-root"] if allow_root else []
    return arguments


def session_environment(session: Path, environment: Mapping[str, str]) -> dict[str, str]:
    """Write the settings of this session into a folder, and return the environment variables that select it.

    Jupyter searches these paths in order, so the session's settings take precedence over the user's own.
    """
    config, data = session / "config", session / "data"
    _write_json(
        config / "jupyter_server_config.d" / "course.json", {"ServerApp": {"jpserver_extensions": SERVER_EXTENSIONS}}
    )
    _write_json(config / "labconfig" / "page_config.json", {"disabledExtensions": DISABLED_PLUGINS})
    _write_json(data / "kernels" / "python3" / "kernel.json", _kernel(environment))
    return {
        "JUPYTER_CONFIG_PATH": _before(config, environment.get("JUPYTER_CONFIG_PATH")),
        "JUPYTER_PATH": _before(data, environment.get("JUPYTER_PATH")),
    }


def _kernel(environment: Mapping[str, str]) -> dict[str, Any]:
    """A kernelspec for this Python with the course on its path; without it, "python3" may be another Python."""
    on_path = {"PYTHONPATH": _before(ROOT, environment.get("PYTHONPATH"))}
    return {
        "argv": [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"],
        "display_name": "Python 3 (course)",
        "language": "python",
        "metadata": {"debugger": True},
        "env": on_path if IN_REPOSITORY else {},  # site-packages on PYTHONPATH would shadow the standard library
    }


def _before(path: Path, others: str | None) -> str:
    """A search path that begins with `path`."""
    return os.pathsep.join([str(path), *([others] if others else [])])


def _write_json(path: Path, content: Mapping[str, Any]) -> None:
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(content, indent=1), "utf-8")
