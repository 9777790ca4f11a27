"""The command: what it says when it is used wrongly, and that it cleans up after itself."""

import os

import pytest

from autograder.class_directory import init_class
from autograder.course import written_units


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
    os.chmod(directory.root / "secret.key", 0o644)
    code, printed = course("doctor", directory.root)
    assert code == 1
    assert "✗ the class secret" in printed
    assert "chmod 600" in printed


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
    assert "Collected 1 submissions: ada" in printed


def test_build_check_is_green_here(course):
    code, printed = course("build", "--check")
    assert code == 0, printed


def test_help_lists_every_command_without_loading_nbgrader(course):
    code, printed = course("--help")
    assert code == 0
    for command in (
        "build",
        "lab",
        "init",
        "release",
        "collect",
        "grade",
        "feedback",
        "export",
        "roster",
        "history",
        "doctor",
        "audit",
        "syllabus",
        "demo",
    ):
        assert command in printed
