"""A class directory in which something is lost or broken: what it is, and what to do about it, in a sentence."""

import shutil

import pytest
from builders.quick_class import grade

from autograder.course.units import find_unit

UNIT = find_unit("01")
COMMANDS = (("grade", "01", "--sandbox", "none"), ("feedback", "01"), ("report", "01"), ("export",))


def lose(directory, name):
    path = directory.root / name
    shutil.rmtree(path) if path.is_dir() else path.unlink()


@pytest.mark.parametrize(
    ("lost", "sentence", "commands"),
    [
        ("gradebook.db", "gradebook.db is missing: put it back from a copy", COMMANDS),
        ("secret.key", "secret.key is missing, which makes the hidden inputs", COMMANDS[:3]),
        ("source", "unit 01 has not been released in", COMMANDS[:3]),
        ("release", "unit 01 has not been released in", COMMANDS[:3]),
    ],
)
def test_what_is_lost_is_named_and_not_made_up(class_of_two, course, lost, sentence, commands, tmp_path):
    lose(class_of_two, lost)
    for command, *arguments in commands:
        code, printed = course(
            command, class_of_two.root, *arguments, *(("-o", tmp_path / "x.csv") * (command == "export"))
        )
        assert code == 1
        assert sentence in printed, command
        assert "Traceback" not in printed
    assert not (class_of_two.root / lost).exists()


@pytest.mark.parametrize(
    "code", ["syntax error here", "raise SystemExit", "c.NoSuch = get_config(1)", "import nowhere"]
)
def test_a_broken_configuration_is_named(class_of_two, course, code):
    (class_of_two.root / "nbgrader_config.py").write_text(code, "utf-8")
    for command, *arguments in COMMANDS:
        exit_code, printed = course(command, class_of_two.root, *arguments)
        assert exit_code == 1
        assert "nbgrader_config.py cannot be read, so mend it first (" in printed
        assert "Traceback" not in printed


def test_lost_notebooks_are_made_again_by_grading(class_of_two, course):
    """`course feedback` needs them, and says to grade; so grading may not think that nothing is to do."""
    lose(class_of_two, "autograded")
    code, printed = course("feedback", class_of_two.root, "01")
    assert code == 1
    assert "nothing is graded yet for unit 01: run `course grade" in printed
    assert {student: result.score for student, result in grade(class_of_two, UNIT).items()} == {"ada": 36, "bob": 36}
    code, printed = course("feedback", class_of_two.root, "01")
    assert code == 0, printed
    assert "Wrote 2 pages" in printed


def test_doctor_tells_a_lost_secret_from_an_open_one(class_of_two, course):
    lose(class_of_two, "secret.key")
    code, printed = course("doctor", class_of_two.root)
    assert code == 1
    assert "✗ the class secret: missing → put" in printed
