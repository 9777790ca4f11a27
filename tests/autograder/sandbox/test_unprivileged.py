"""The engine as an ordinary user runs it, with no rights of root, and where user namespaces are not allowed."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from needs import skip_or_fail

from autograder.course.notebooks import solution_notebook, write_notebook
from autograder.course.units import ROOT, find_unit
from autograder.sandbox.bubblewrap import bubblewrap

pytestmark = pytest.mark.xdist_group("class")

UNIT = find_unit("00")


@pytest.fixture
def ordinary():
    """What makes a command one of an ordinary user."""
    return [bubblewrap().path, "--unshare-user", "--uid", "1000", "--gid", "1000", "--dev-bind", "/", "/"]


@pytest.fixture
def nobody():
    """What makes a command of root's one of another user; Python is shown to them wherever it is."""
    if os.getuid() != 0:
        return []
    if closed(ROOT) or closed(Path(sys.prefix)):
        skip_or_fail(f"other users cannot read {ROOT}, which this test needs: move it to a folder that they can read")
    base = Path(sys.base_prefix)
    opened = [["--perms", "0755", "--dir", path] for path in closed(base)]
    if opened:
        opened[0][2] = "--tmpfs"
        opened.append(["--dev-bind", base, base])
    box = [bubblewrap().path, "--cap-add", "ALL", "--dev-bind", "/", "/", *(word for words in opened for word in words)]
    return [*box, "setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]


def closed(path):
    """The first folder on the way to a path that others may not enter, and those after it."""
    way = list(reversed(path.parents))
    return next((way[place:] for place, folder in enumerate(way) if not folder.stat().st_mode & 0o001), [])


@pytest.fixture
def check_fully():
    """Run `course check --full` on the solution of a unit behind another command."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "solution.ipynb"
        path.write_text(write_notebook(solution_notebook(UNIT)), "utf-8")
        path.parent.chmod(0o777)
        command = [Path(sys.executable).parent / "course", "check", "--full", path]
        run = {"env": os.environ | {"HOME": name}, "capture_output": True, "text": True, "timeout": 300}
        yield lambda *before: subprocess.run([*before, *command], **run)


def test_an_ordinary_user_in_a_container_can_grade(check_fully, ordinary):
    whoami = subprocess.run([*ordinary, "sh", "-c", "id -u; grep CapEff /proc/self/status"], capture_output=True)
    assert whoami.stdout.split() == [b"1000", b"CapEff:", b"0000000000000000"]
    done = check_fully(*ordinary)
    assert (done.returncode, "1 graded" in done.stdout) == (0, True), done.stdout + done.stderr


def test_an_ordinary_user_of_the_machine_can_grade(check_fully, nobody):
    assert subprocess.run([*nobody, "id", "-u"], capture_output=True, text=True).stdout != "0\n"
    done = check_fully(*nobody)
    assert (done.returncode, "1 graded" in done.stdout) == (0, True), done.stdout + done.stderr


def test_without_user_namespaces_grading_refuses_and_says_what_to_do(check_fully, ordinary):
    done = check_fully(*ordinary, "--disable-userns")
    assert done.returncode == 1
    said = " ".join((done.stdout + done.stderr).split())
    assert "allow user namespaces" in said
    assert "--sandbox none" in said
    assert "Traceback" not in said
    assert "graded" not in said


NOBODY = """
import os
import sys
from autograder.sandbox.inside.namespaces import fork_into_namespaces, keep_user, not_dumpable

if os.getuid() == 0:
    os.setgroups([])
    os.setresgid(65534, 65534, 65534)
    os.setresuid(65534, 65534, 65534)
user = os.getuid(), os.getgid()
not_dumpable()
try:
    child = fork_into_namespaces()
except OSError:
    sys.exit(77)
if child:
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
keep_user(*user)
assert user == (os.getuid(), os.getgid())
try:
    open("/proc/self/uid_map", "w")
except PermissionError:
    os._exit(0)
"""


def test_a_kernel_of_an_ordinary_user_stays_that_user():
    """The user in the test above is another name for root, to whom files of root in /proc belong."""
    done = subprocess.run([sys.executable, "-c", NOBODY], cwd=ROOT, capture_output=True, text=True)
    if done.returncode == 77:
        skip_or_fail("only bubblewrap may use user namespaces here: allow them to Python to run this test")
    assert done.returncode == 0, done.stderr
