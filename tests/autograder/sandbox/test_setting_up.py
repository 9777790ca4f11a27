"""While it sets up a sandbox, bubblewrap follows no link of a submission's: it runs before any student's code, over
folders that no student's code can write to.

Before 0.12.0 it creates files on the host if a folder above one that it makes in the sandbox is a symbolic link.
"""

import os
import sys
import time
from pathlib import Path, PurePosixPath

import psutil
import pytest

from autograder.course.units import find_unit
from autograder.examiner.assignment import Limits
from autograder.examiner.session import Session
from autograder.sandbox.command import EDITION, PREFIX, SETTINGS, SYSTEM
from autograder.sandbox.zygote_pool import WRITABLE, Zygote, zygote

pytestmark = pytest.mark.xdist_group("session")

UNIT = find_unit("01")
SOCKETS = "/run/sockets"
VALUES = {  # of each option; one that is not here has not been thought about
    **dict.fromkeys(("--symlink", "--ro-bind", "--ro-bind-try", "--bind", "--setenv"), 2),
    **dict.fromkeys(("--tmpfs", "--dev", "--remount-ro", "--chdir"), 1),
    **dict.fromkeys(("--unshare-user", "--unshare-all", "--die-with-parent", "--new-session", "--clearenv"), 0),
}
BINDS = ("--ro-bind", "--ro-bind-try", "--bind")
PLANT = """
import os

planted = []
for folder in {folders}:
    for place, ahead in ((folder, "/oldroot"), (folder + "/planted", "")):  # as bubblewrap sees the host, and as we do
        try:
            os.makedirs(place, exist_ok=True)
        except OSError:
            continue
        for name in {names}:
            try:
                os.symlink(ahead + {host!r}, os.path.join(place, name))
                planted.append(folder)
            except OSError:
                pass
planted = sorted(set(planted))
"""
LOOK = """
import os

found = [folder + "/" + name for folder in {folders} if os.path.isdir(folder) for name in os.listdir(folder)]
found = [path for path in found if os.path.islink(path) and os.readlink(path).endswith({host!r})]
"""


@pytest.fixture
def used():
    """A zygote from which kernels may come, and what bubblewrap was told when it was started: options with values."""
    running = zygote(UNIT, "bwrap")
    running.wait_until_warm()
    _, *words = psutil.Process(running._process.pid).cmdline()
    return running, options(words)


def options(words):
    found = []
    while words[0].startswith("--"):
        count = VALUES[words[0]]
        found.append((words[0], *words[1 : 1 + count]))
        words = words[1 + count :]
    return found


def below(path, folders):
    return any(PurePosixPath(path).is_relative_to(folder) for folder in folders)


def test_it_is_given_the_systems_folders_and_two_of_our_own(used):
    """Of those that can be written to from inside: one for sockets, and the /proc of the sandbox."""
    binds = {target: source for option, source, target in (o for o in used[1] if o[0] in BINDS)}
    edition, sockets = Path(binds.pop(EDITION)), Path(binds.pop(SOCKETS))
    trusted = {*SYSTEM, *(f"/etc/{name}" for name in SETTINGS), sys.base_prefix, sys.prefix, "/proc"}
    assert set(binds.values()) <= trusted
    for source in map(Path, binds.values()):
        assert not source.exists() or not source.stat().st_mode & 0o002, source
    assert {option[2] for option in used[1] if option[0] == "--bind"} == {SOCKETS, "/proc"}
    assert edition.parent == sockets.parent == used[0]._root


def test_what_is_ours_is_new_and_nobody_elses(used):
    root = used[0]._root
    assert root.parent.resolve() / root.name == root.resolve()
    assert root.stat().st_mode & 0o777 == 0o700
    paths = [root, *root.rglob("*")]
    assert len(paths) > 20  # the edition
    for path in paths:
        assert not path.is_symlink()
        assert path.lstat().st_uid == os.getuid()


def parents_that_are_links(told):
    """Folders above one that bubblewrap makes or mounts which are links, in the sandbox or where they come from."""
    links, binds, found = set(), {}, []
    for option, *values in told:
        target = PurePosixPath(values[-1]) if values else None
        if option not in (*BINDS, "--symlink", "--tmpfs", "--dev"):
            continue
        for parent in target.parents:
            above = [bound for bound in binds if parent.is_relative_to(bound)]
            inside = above and max(above, key=lambda bound: len(bound.parts))
            if parent in links or (inside and (binds[inside] / parent.relative_to(inside)).is_symlink()):
                found.append((str(target), str(parent)))
        if option == "--symlink":
            links.add(target)
        elif option in BINDS:
            binds[target] = Path(values[0]).resolve()
    return found


def test_no_folder_above_what_it_makes_is_a_link(used):
    assert parents_that_are_links(used[1]) == []
    targets = [values[-1] for option, *values in used[1] if option in (*BINDS, "--symlink", "--tmpfs", "--dev")]
    for target in targets:
        assert not below(PurePosixPath(target).parent, [EDITION, SOCKETS, *WRITABLE]), target


def test_a_link_above_would_be_seen(tmp_path):
    (tmp_path / "link").symlink_to("/oldroot/etc")
    assert parents_that_are_links(options(["--bind", str(tmp_path), "/x", "--tmpfs", "/x/link/new", "python"]))
    assert parents_that_are_links(options(["--symlink", "/oldroot/etc", "/x", "--ro-bind", "/usr", "/x/new", "python"]))


def test_links_that_a_submission_plants_lead_nowhere(used, tmp_path):
    """They stand where its code can write while more kernels and sandboxes are made; the host gets nothing."""
    host = tmp_path / "host"
    host.mkdir()
    host.chmod(0o777)
    targets = [PurePosixPath(values[-1]) for option, *values in used[1] if values and option != "--setenv"]
    names = sorted({part for target in targets for part in target.parts[1:]} | {"oldroot", "newroot", "student"})
    folders = ["/tmp", "/home/student", "/dev/shm", SOCKETS, "/run", "/dev", "/var/tmp", "/proc", "/", str(Path.cwd())]
    folders += [EDITION, str(PREFIX)]
    insert = {"folders": folders, "names": names, "host": str(host)}

    def talk(kernel):
        return Session(kernel, Limits(), time.monotonic() + 300)

    planting = talk(used[0].start_kernel())
    try:
        assert planting.run(PLANT.format(**insert)) == []
        defined, planted = planting.look_up("planted")
        assert defined
        assert set(WRITABLE) <= set(planted)
        assert all(below(PurePosixPath(folder), WRITABLE) for folder in planted), planted
        another = Zygote(UNIT, "bwrap")
        try:
            for later in (talk(used[0].start_kernel()), talk(another.start_kernel())):
                assert later.run(LOOK.format(**insert)) == []
                assert later.look_up("found") == (True, [])
                later.close()
            assert not [path for one in (used[0], another) for path in one._root.rglob("*") if path.is_symlink()]
        finally:
            another.close()
    finally:
        planting.close()
    assert list(host.iterdir()) == []
