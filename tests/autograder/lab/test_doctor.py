"""`course doctor` answers wherever it is asked: without packages, with old ones, and without the repository."""

import subprocess
import sys
from importlib.metadata import PackageNotFoundError

import pytest

from autograder.course import versions
from autograder.lab import doctor
from autograder.lab.doctor import examine_installation
from course_lib.environment import PACKAGES

BROKEN = """
import sys
for name in ("torch", "nbgrader", "nbformat", "nbconvert", "jupyter_client", "traitlets", "jupytext", "sqlalchemy"):
    sys.modules[name] = None
sys.argv = ["course", {arguments}]
from autograder.cli.main import main
main()
"""


@pytest.fixture
def signs(monkeypatch):
    """What is found, by name; without the repository, because to look whether notebooks are fresh takes seconds."""
    monkeypatch.setattr(doctor, "IN_REPOSITORY", False)
    return lambda: {sign.name: sign for sign in examine_installation()}


def run_broken(*arguments):
    code = BROKEN.format(arguments=", ".join(map(repr, arguments)))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    return done.returncode, " ".join((done.stdout + done.stderr).split())


def test_with_packages_that_do_not_load():
    code, said = run_broken("doctor")
    assert code == 1
    assert "Traceback" not in said
    assert "✗ torch: " in said
    assert "is installed but does not load (ModuleNotFoundError" in said
    assert "✗ kernel python3: cannot be looked for" in said
    assert "✗ notebooks: cannot be looked at" in said
    assert "✓ rich: " in said


def test_other_commands_say_who_knows_what_is_missing():
    for arguments in (["export", "."], ["build"], ["syllabus"]):
        code, said = run_broken(*arguments)
        assert code == 1
        assert "Traceback" not in said
        assert "`course doctor` says what to install" in said


def test_names_and_floors_are_those_of_the_installed_package(monkeypatch, signs):
    asked = ["torch>=2.6", "numpy>=99", "no-such-package>=1.2", 'distributed>=9999; extra == "dask"']
    monkeypatch.setattr(doctor, "requires", lambda name: asked)
    found = signs()
    assert found["torch"].well
    assert "is older than 99" in found["numpy"].found
    assert (found["no-such-package"].well, found["no-such-package"].found) == (False, "is missing")
    assert found["no-such-package"].advice == 'pip install "no-such-package>=1.2"'
    assert "distributed" not in found


def test_from_a_folder_that_is_not_installed(monkeypatch, signs):
    def missing(name):
        raise PackageNotFoundError(name)

    monkeypatch.setattr(doctor, "requires", missing)
    assert PACKAGES.keys() <= signs().keys()


def test_without_the_versions_that_were_tested(monkeypatch, signs):
    monkeypatch.setattr(versions, "tested_versions", {}.__getitem__)  # which raises
    monkeypatch.setattr(doctor, "requires", lambda name: ["torch>=99"])
    found = signs()
    assert found["torch"].advice == 'pip install "torch>=99"'
    assert found["notebooks"].well


@pytest.mark.parametrize(("tested", "says"), [({"jupyter-client": "0.0.1"}, "(tested with 0.0.1)"), ({}, "")])
def test_it_tells_of_versions_that_were_not_tested(monkeypatch, signs, tested, says):
    monkeypatch.setattr(versions, "tested_versions", lambda: tested)
    found = signs()["jupyter-client"]
    assert found.well
    assert found.found.endswith(says)
    assert ("tested" in found.found) == bool(tested)
