"""The command: what it says when it is used wrongly, and that it cleans up after itself."""

import re
import shlex

import pytest

from autograder.classroom.directory import init_class
from autograder.cli import app
from autograder.course.units import written_units
from autograder.lab import doctor
from autograder.sandbox.bubblewrap import SYSTEM, WHEEL, Bubblewrap


def test_errors_are_one_sentence_and_a_nonzero_exit(course, tmp_path):
    empty = tmp_path / "class"
    for arguments, sentence in (
        (("grade", empty, "01"), f"{empty} is not a class directory: make one with `course init {empty}`"),
        (("release", empty, "01"), "is not a class directory"),
        (("export", empty), "is not a class directory"),
        (("lab", "99", "--folder", tmp_path / "mine"), "there is no unit '99'"),
    ):
        code, printed = course(*arguments)
        assert code == 1
        assert sentence in printed
        assert "Traceback" not in printed


def test_debug_shows_where_an_error_comes_from(course, tmp_path):
    with pytest.raises(Exception, match="not a class directory"):
        course("--debug", "grade", tmp_path, "01")


def test_class_directory_is_made_once(course, tmp_path):
    root = tmp_path / "class"
    assert course("init", root)[0] == 0
    assert {path.name for path in root.iterdir()} >= {"nbgrader_config.py", "source", "submitted", "gradebook.db"}
    assert (root / "secret.key").stat().st_mode & 0o777 == 0o600
    code, printed = course("init", root)
    assert code == 1
    assert "is a class directory already" in printed
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()
    assert "is not empty" in course("init", tmp_path / "full")[1]


def test_grading_needs_a_release_and_submissions(course, tmp_path):
    root = tmp_path / "class"
    init_class(root)
    code, printed = course("grade", root, "01")
    assert code == 1
    assert "has not been released" in printed
    assert course("release", root, "1", "--due", "2026-12-01 23:59")[0] == 0
    code, printed = course("grade", root, "01")
    assert code == 1
    assert "nobody has handed in unit 01" in printed
    code, printed = course("feedback", root, "01")
    assert code == 1
    assert "nothing is graded yet" in printed
    code, printed = course("export", root, "--to", "excel")
    assert code == 1
    assert "csv, canvas, moodle" in printed


def test_a_file_that_cannot_be_written_is_said_in_a_sentence(directory, course, tmp_path):
    code, printed = course("export", directory.root, "-o", tmp_path)
    assert code == 1
    assert f"{tmp_path} is a folder: name the file to write, such as {tmp_path}/scores-csv.csv" in printed
    (directory.root / "reports").write_text("in the way")
    code, printed = course("report", directory.root, "01")
    assert code == 1
    assert f"a file could not be read or written, so the command stopped ({directory.root}/reports" in printed
    assert "Traceback" not in printed


def test_a_due_date_is_read_and_told(directory, course):
    code, printed = course("release", directory.root, "01", "--due", "2027-03-01")
    assert code == 0, printed
    assert "It is due on Monday, 1 March 2027, 23:59." in printed
    code, printed = course("release", directory.root, "01", "--due", "tomorrow")
    assert code == 1
    assert "'tomorrow' is not a date" in printed


def test_lateness_follows_the_due_date(course, tmp_path):
    root = tmp_path / "class"
    directory, (unit, *_) = init_class(root), written_units()
    course("release", root, unit.id, "--due", "2026-12-01 23:59")
    with directory.gradebook() as gradebook:
        due = gradebook.find_assignment(unit.full_name).duedate
    assert (due.year, due.month) == (2026, 12)


def test_doctor_finds_everything_here(course, tmp_path):
    directory = init_class(tmp_path / "class")
    code, printed = course("doctor", directory.root)
    assert code == 0, printed
    for name in ("torch", "nbgrader", "kernel python3", "notebooks", "the class secret", "the gradebook"):
        assert f"✓ {name}" in printed
    (directory.root / "secret.key").chmod(0o644)
    code, printed = course("doctor", directory.root)
    assert code == 1
    assert "✗ the class secret" in printed
    assert "chmod 600" in printed


@pytest.mark.parametrize(("origin", "version", "mark"), [(WHEEL, "0.11.0", "!"), (SYSTEM, "0.12.0", "✓")])
def test_doctor_warns_of_an_old_bubblewrap(course, monkeypatch, origin, version, mark):
    monkeypatch.setattr(doctor, "bubblewrap", lambda: Bubblewrap("/there/bwrap", origin, version))
    monkeypatch.setattr("autograder.authoring.build.stale_files", list)
    code, printed = course("doctor")
    assert code == 0, printed
    assert f"{mark} sandbox: bubblewrap {version} of {origin} (/there/bwrap)" in printed
    assert ("CVE-2026-87766" in printed) == ("install your distribution's package" in printed) == (mark == "!")


def test_doctor_warns_where_system_calls_are_not_refused(course, monkeypatch):
    monkeypatch.setattr(doctor, "bubblewrap", lambda: Bubblewrap("/there/bwrap", SYSTEM, "0.12.0"))
    monkeypatch.setattr("autograder.authoring.build.stale_files", list)
    assert "✓ filter of system calls" in course("doctor")[1]
    monkeypatch.setattr("platform.machine", lambda: "riscv64")
    code, printed = course("doctor")
    assert code == 0, printed
    assert "! filter of system calls: not known for riscv64 → grade on x86_64 or aarch64" in printed


def test_collect_says_what_it_left_out(course, tmp_path):
    root = tmp_path / "class"
    init_class(root)
    course("release", root, "01")
    inbox = tmp_path / "inbox"
    inbox.mkdir()
    (inbox / "01_cross_attention_shapes.ipynb").write_text("{}")
    code, printed = course("collect", root, "01", inbox)
    assert code == 1
    assert "left out 01_cross_attention_shapes.ipynb" in printed
    (inbox / "ada_01_cross_attention_shapes.ipynb").write_text("{}")
    code, printed = course("collect", root, "01", inbox / "ada_01_cross_attention_shapes.ipynb")
    assert code == 0
    assert "Collected 1 submission: ada" in printed


def test_odd_names_are_shown_as_they_are(course, directory, tmp_path):
    """What rich would take for a style is a part of a name."""
    inbox = tmp_path / "[red]in"
    inbox.mkdir()
    (inbox / "[bold]_01_cross_attention_shapes.ipynb").write_text("{}")
    code, printed = course("collect", directory.root, "01", inbox)
    assert code == 1
    assert "left out [bold]_01_cross_attention_shapes.ipynb: '[bold]' cannot be a student id" in printed


@pytest.mark.parametrize("name", ["two words", "o'hara", 'a"b', "kürs 学 💥", "100%", "a{b}", "a#b"])
def test_a_class_may_have_any_name_that_nbgrader_can_work_with(course, tmp_path, name):
    root = tmp_path / name
    code, printed = course("init", root)
    assert code == 0, printed
    assert f"`course release {shlex.quote(str(root))} 01`" in printed  # to be copied
    code, printed = course("release", root, "00")
    assert code == 0, printed
    assert f"{root}/release/00_start_here.zip" in printed


@pytest.mark.parametrize("name", ["a*", "what?", "[2027] class", "$HOME"])
def test_a_name_that_nbgrader_takes_for_a_pattern_is_refused_at_once(course, tmp_path, name):
    code, printed = course("init", tmp_path / name)
    assert code == 1
    assert f"nbgrader cannot work in {tmp_path / name}: choose a path without" in printed
    assert not (tmp_path / name).exists()


def test_build_check_is_green_here(course):
    code, printed = course("build", "--check")
    assert code == 0, printed


PANELS = {
    "Getting started": ["demo", "doctor"],
    "For students": ["lab", "check"],
    "Your class, step by step": ["init", "roster", "release", "collect", "grade", "feedback", "report", "export"],
    "Your class, occasionally": ["history", "worker"],
    "For authors of the course": ["build", "audit", "syllabus"],
}


def test_help_lists_every_command_in_the_order_of_its_use(course):
    code, printed = course("--help")
    assert code == 0
    shown = re.findall(r"─ (.+?) ─|^│ (\w+)  ", printed, flags=re.MULTILINE)
    found: dict[str, list[str]] = {}
    for panel, command in shown:
        found.setdefault(panel, []) if panel else found[list(found)[-1]].append(command)
    assert found.pop("Options") == []
    assert found == PANELS
    assert {command.name or command.callback.__name__ for command in app.registered_commands} == {
        command for commands in PANELS.values() for command in commands
    }


@pytest.mark.parametrize("command", [command for commands in PANELS.values() for command in commands])
def test_each_command_says_what_it_does_in_a_sentence(course, command):
    code, printed = course(command, "--help")
    assert code == 0
    assert re.search(r"Usage: .*\n\s*\n ?[A-Z][^│]+[.?]", printed), printed
