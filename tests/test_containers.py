"""The Dockerfile, the development container and the environment for Binder, as far as one can say without a build."""

import json
import re
import subprocess
import tomllib
from fnmatch import fnmatch
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from autograder.course.units import ROOT

CPU_INDEX = "https://download.pytorch.org/whl/cpu"


def instructions():
    """Each as its name and the rest, without comments and with lines joined as Docker joins them."""
    text = re.sub(r"^#.*\n", "", (ROOT / "Dockerfile").read_text("utf-8"), flags=re.MULTILINE)
    lines = text.replace("\\\n", "").splitlines()
    return [tuple(line.split(maxsplit=1)) for line in lines if line]


def of_kind(kind):
    return [rest for name, rest in instructions() if name == kind]


def test_dockerfile_copies_what_is_there():
    sources = [part for rest in of_kind("COPY") for part in rest.split()[:-1] if not part.startswith("--")]
    ignored = (ROOT / ".dockerignore").read_text("utf-8").split()
    assert sources
    for source in sources:
        assert (ROOT / source).exists(), source
        assert not any(fnmatch(source, pattern) for pattern in ignored), source


@pytest.mark.parametrize("line", of_kind("RUN"))
def test_each_line_that_docker_runs_is_a_shells(line):
    subprocess.run(["sh", "-n", "-c", line], check=True)


def test_nothing_runs_as_root_and_torch_is_for_the_cpu():
    assert of_kind("USER")[-1] == "instructor"
    assert f"--index-url {CPU_INDEX}" in " ".join(of_kind("RUN"))
    assert of_kind("ENTRYPOINT") == ['["course"]']


def test_every_start_of_a_container_allows_the_sandbox():
    """Bubblewrap's namespaces need both: the guide says so, and the development container does it."""
    wanted = ["seccomp=unconfined", "systempaths=unconfined"]
    container = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text("utf-8"))
    assert container["runArgs"] == [part for option in wanted for part in ("--security-opt", option)]
    guide = (ROOT / "docs" / "instructor.md").read_text("utf-8")
    for command in re.findall(r"docker run (?:.*\\\n)*.*", guide):
        assert all(f"--security-opt {option}" in command for option in wanted), command


def test_the_development_container_names_what_is_there():
    folder = ROOT / ".devcontainer"
    container = json.loads((folder / "devcontainer.json").read_text("utf-8"))
    assert (folder / container["build"]["dockerfile"]).samefile(ROOT / "Dockerfile")
    assert (folder / container["build"]["context"]).samefile(ROOT)
    assert container["remoteUser"] in of_kind("USER")
    python = container["customizations"]["vscode"]["settings"]["python.defaultInterpreterPath"]
    (where, _) = of_kind("WORKDIR")
    assert Path(python) == Path(where) / ".venv" / "bin" / "python"


def test_binder_asks_for_what_course_lib_needs():
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
    lines = (ROOT / "binder" / "requirements.txt").read_text("utf-8").splitlines()
    options = [line for line in lines if line.startswith("-")]
    assert options == ["-c ../constraints.txt", f"--extra-index-url {CPU_INDEX}"]
    wanted = {line for line in lines if not line.startswith(("-", "#"))}
    assert wanted <= {Requirement(line).name for line in declared}
    sources = "\n".join(path.read_text("utf-8") for path in (ROOT / "course_lib").rglob("*.py"))
    for name in (Requirement(line).name for line in declared):
        module = {"scikit-learn": "sklearn"}.get(name, name.replace("-", "_"))
        if re.search(rf"^\s*(?:import|from) {module}\b", sources, flags=re.MULTILINE):
            assert name in wanted, name
    assert (ROOT / "binder" / "runtime.txt").read_text("utf-8").strip() == "python-3.12"
    subprocess.run(["sh", "-n", ROOT / "binder" / "postBuild"], check=True)
    assert (ROOT / "binder" / "postBuild").stat().st_mode & 0o111
