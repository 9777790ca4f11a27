"""A session of JupyterLab for a student, set up without a change to anybody's own Jupyter settings."""

import json
import os
import shlex
import sys
import tempfile
from pathlib import Path
from urllib.parse import quote

from autograder.course.units import IN_REPOSITORY, ROOT
from autograder.errors import CourseError

SERVER_EXTENSIONS = {
    "nbgrader.server_extensions.validate_assignment": True,
    # these are for instructors, or need an exchange folder, and complain where there is none
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
    # it asks on the first start whether to fetch news from the internet
    "@jupyterlab/apputils-extension:announcements": True,
}


def start_lab(
    folder: Path, notebook: Path | None, *, browser: bool = True, port: int | None = None, allow_root: bool = False
) -> None:
    """Run JupyterLab in a folder, at a notebook there or at the list of files, until it is shut down."""
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
    """What JupyterLab is started with."""
    arguments = [f"--ServerApp.root_dir={folder}"]
    # as the default address, so that it is also the one that is printed when no browser is opened
    arguments += [f"--LabApp.default_url=/lab/tree/{quote(notebook.name)}"] if notebook else []
    arguments += [] if browser else ["--no-browser"]
    arguments += [] if port is None else [f"--ServerApp.port={port}"]
    arguments += ["--allow-root"] if allow_root else []
    return arguments


def session_environment(session: Path, environment: dict[str, str]) -> dict[str, str]:
    """Write the settings of this session into a folder; the variables that put it before all other settings.

    Where a user has a setting of their own, Jupyter takes the first that it finds.
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


def _kernel(environment: dict[str, str]) -> dict:
    """This Python, with the course on its path; the notebooks ask for python3, which on a machine may be any other."""
    on_path = {"PYTHONPATH": _before(ROOT, environment.get("PYTHONPATH"))}
    return {
        "argv": [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"],
        "display_name": "Python 3 (course)",
        "language": "python",
        "metadata": {"debugger": True},
        "env": on_path if IN_REPOSITORY else {},  # site-packages would come before Python's own modules
    }


def _before(path: Path, others: str | None) -> str:
    return os.pathsep.join([str(path), *([others] if others else [])])


def _write_json(path: Path, content: dict) -> None:
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(content, indent=1), "utf-8")
