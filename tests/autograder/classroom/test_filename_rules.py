import pytest

from autograder.classroom.filename_rules import read_rule, student_of
from autograder.course.units import find_unit
from autograder.errors import CourseError

UNIT = find_unit("01")
NAME = UNIT.full_name


@pytest.mark.parametrize(
    ("path", "student"),
    [
        (f"lovelaceada_12345_67890_{NAME}.ipynb", "12345"),
        (f"lovelaceada_LATE_12345_67890_{NAME}-1.ipynb", "12345"),
        (f"Ada Lovelace_12345_assignsubmission_file_/{NAME}.ipynb", "12345"),
        (f"Ada Lovelace_12345_assignsubmission_file_{NAME}.ipynb", "12345"),
        (f"ada_{NAME}.ipynb", "ada"),
        (f"{NAME}-ada.ipynb", "ada"),
        (f"ada-maria_{NAME} (2).ipynb", "ada-maria"),
        (f"ada/{NAME}.ipynb", "ada"),
        (f"all/ada/{NAME}/{NAME}.ipynb", "ada"),
        (f"all.zip/ada.zip/{NAME} (1).ipynb", "ada"),
        ("ada.ipynb", "ada"),
    ],
)
def test_the_student_is_read_from_the_path(path, student):
    assert student_of(path, UNIT) == student


@pytest.mark.parametrize("path", [f"{NAME}.ipynb", f"{NAME} (1).ipynb", f"{NAME}/{NAME}.ipynb"])
def test_a_path_that_names_nobody_is_refused(path):
    with pytest.raises(CourseError, match="does not say whose it is"):
        student_of(path, UNIT)


def test_another_unit_is_no_student_of_this_one():
    """Its name is part of no rule, so it is a folder like any other."""
    other = find_unit("02").full_name
    assert student_of(f"{other}/{NAME}.ipynb", UNIT) == other


def test_an_instructors_rule_goes_before_all_others():
    rule = read_rule(r"group\d+-(?P<student>\w+)-")
    assert student_of(f"group7-ada-x/12345_67890_1_{NAME}.ipynb", UNIT, rule) == "ada"
    with pytest.raises(CourseError, match="does not fit ada"):
        student_of(f"ada/{NAME}.ipynb", UNIT, rule)


@pytest.mark.parametrize(("pattern", "sentence"), [("(", "not a regular expression"), (r"\w+", "name a group")])
def test_a_rule_that_is_none_is_refused(pattern, sentence):
    with pytest.raises(CourseError, match=sentence):
        read_rule(pattern)
