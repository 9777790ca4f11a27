"""Collecting: whose file it is, which one counts, and what is left out."""

import io
import os
import zipfile
from datetime import UTC, datetime

import pytest

from autograder.classroom.collect import collect
from autograder.classroom.directory import init_class
from autograder.course.units import find_unit
from autograder.errors import CourseError

UNIT = find_unit("01")
NAME = UNIT.full_name


def write(path, text="{}", when=None):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    if when:
        os.utime(path, (when, when))
    return path


def zipped(members):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return data.getvalue()


@pytest.mark.parametrize(
    ("path", "student"),
    [
        (f"submitted/ada/{NAME}/{NAME}.ipynb", "ada"),
        (f"lovelaceada_12345_67890_{NAME}.ipynb", "12345"),
        (f"lovelaceada_LATE_12345_67890_{NAME}-2.ipynb", "12345"),
        (f"Ada Lovelace_4711_assignsubmission_file_/{NAME}.ipynb", "4711"),
        (f"Ada Lovelace_4711_assignsubmission_file_{NAME}.ipynb", "4711"),
        (f"ada_{NAME}.ipynb", "ada"),
        (f"ada-b_{NAME} (1).ipynb", "ada-b"),
        (f"{NAME}_ada.ipynb", "ada"),
        (f"ada/{NAME}.ipynb", "ada"),
        (f"week 1/ada/{NAME}.ipynb", "ada"),
        ("ada.ipynb", "ada"),
        ("ada@uni.example.ipynb", "ada@uni.example"),
        ("Ünïcødé 学生.ipynb", "Ünïcødé 学生"),
        ("cafe\u0301.ipynb", "café"),
    ],
)
def test_whose_file_it_is(directory, tmp_path, path, student):
    write(tmp_path / "in" / path, "mine")
    found = collect(directory, UNIT, [tmp_path / "in"])
    assert [(file.student, file.problem) for file in found] == [(student, None)]
    assert directory.submission(student, UNIT).read_text() == "mine"
    assert directory.students(UNIT) == [student]


def test_pattern_of_ones_own(directory, tmp_path):
    write(tmp_path / "in" / "group7-ada-final.ipynb")
    found = collect(directory, UNIT, [tmp_path / "in"], r"group\d+-(?P<student>\w+)-")
    assert [file.student for file in found] == ["ada"]
    found = collect(directory, UNIT, [tmp_path / "in"], "nothing(?P<student>x)")
    assert "does not fit group7-ada-final.ipynb" in found[0].problem
    for pattern, sentence in (
        ("(", "is not a regular expression"),
        (r"(\w+)-", "does not say which part is the student"),
    ):
        with pytest.raises(CourseError, match=sentence):
            collect(directory, UNIT, [tmp_path / "in"], pattern)


def test_zip_of_canvas_with_a_bundle_inside(directory, tmp_path):
    bundle = zipped({f"{NAME}/{NAME}.ipynb": "inner", f"{NAME}/course_lib/__init__.py": "", "__MACOSX/x.ipynb": ""})
    (tmp_path / "submissions.zip").write_bytes(
        zipped({f"ada_1_2_{NAME}.ipynb": "outer", f"bob_3_4_{NAME}.zip": bundle, "notes.txt": "no"})
    )
    found = collect(directory, UNIT, [tmp_path / "submissions.zip"])
    placed = {file.student: directory.submission(file.student, UNIT).read_text() for file in found}
    assert placed == {"1": "outer", "3": "inner"}


def test_latest_of_several_counts_and_its_time_is_kept(directory, tmp_path):
    noon = datetime(2026, 5, 4, 12, 0).timestamp()
    write(tmp_path / "in" / f"ada_{NAME}.ipynb", "second", noon + 60)
    write(tmp_path / "in" / f"{NAME}_ada.ipynb", "first", noon)
    found = collect(directory, UNIT, [tmp_path / "in"])
    assert directory.submission("ada", UNIT).read_text() == "second"
    assert [file.problem for file in found] == [f"ada handed in a later file, ada_{NAME}.ipynb", None]
    moment = directory.coursedir().get_existing_timestamp(str(directory.submission("ada", UNIT).parent))
    assert moment == datetime.fromtimestamp(noon + 60, UTC).replace(tzinfo=None)


@pytest.mark.parametrize("name", [f"{NAME}.ipynb", f"{NAME} (1).ipynb"])
def test_file_that_names_nobody(directory, tmp_path, name):
    write(tmp_path / "inbox" / name)
    found = collect(directory, UNIT, [tmp_path / "inbox"])
    assert "does not say whose it is" in found[0].problem


def test_folder_names_the_student_of_a_renamed_file(directory, tmp_path):
    write(tmp_path / "ada" / "my final solution.ipynb")
    found = collect(directory, UNIT, [tmp_path / "ada" / "my final solution.ipynb"])
    assert [file.student for file in found] == ["ada"]


@pytest.mark.parametrize("student", ["..", ".hidden", "a*b", "a[1]", "a\nb", "💥", "-x", "@x", "=x", "o'h", 'a"b'])
def test_ids_that_are_no_folder_names_are_refused(directory, tmp_path, student):
    (tmp_path / "in.zip").write_bytes(zipped({f"{student}_{NAME}.ipynb": "{}"}))
    found = collect(directory, UNIT, [tmp_path / "in.zip"])
    assert "cannot be a student id" in found[0].problem
    assert directory.students(UNIT) == []


def test_paths_in_a_zip_cannot_leave_the_class(directory, tmp_path):
    (tmp_path / "in.zip").write_bytes(zipped({"../../../../evil/../../" + f"{NAME}.ipynb": "{}"}))
    found = collect(directory, UNIT, [tmp_path / "in.zip"])
    assert "cannot be a student id" in found[0].problem


def test_a_missing_file_is_named(directory, tmp_path):
    with pytest.raises(CourseError, match="there is no file or folder"):
        collect(directory, UNIT, [tmp_path / "nowhere"])


def test_a_broken_file_costs_no_other(directory, tmp_path):
    whole = zipped({f"ada_{NAME}.ipynb": "{}" * 500, f"bob_{NAME}.ipynb": "{}" * 500})
    damaged = bytearray(whole)
    damaged[60:80] = bytes(20)  # in the middle of ada's
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "broken.zip").write_text("not a zip")
    (tmp_path / "in" / "cut.zip").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "in" / "damaged.zip").write_bytes(damaged)
    (tmp_path / "in" / f"zoe_{NAME}.ipynb").write_text("{}")
    found = collect(directory, UNIT, [tmp_path / "in"])
    assert {file.student for file in found if not file.problem} == {"bob", "zoe"}
    left_out = {file.path: file.problem for file in found if file.problem}
    assert set(left_out) == {"broken.zip", "cut.zip", f"damaged/ada_{NAME}.ipynb"}
    assert "not a complete zip file" in left_out["broken.zip"]
    assert "cannot be unpacked" in left_out[f"damaged/ada_{NAME}.ipynb"]


def test_the_class_is_not_collected_from_itself(directory, tmp_path):
    """Its release and its source are notebooks too, and the source has the answers."""
    write(tmp_path / "in" / f"ada_{NAME}.ipynb")
    found = collect(directory, UNIT, [tmp_path])
    assert {file.student for file in found} == {"ada"}
    for inside in (directory.root, directory.root / "submitted"):
        with pytest.raises(CourseError, match="is in the class directory itself"):
            collect(directory, UNIT, [inside])


def test_unit_must_be_released_first(tmp_path):
    empty = init_class(tmp_path / "class")
    with pytest.raises(CourseError, match=r"run `course release .* 01` first"):
        collect(empty, UNIT, [])


def test_what_is_no_file_is_left_out_and_said(directory, tmp_path):
    write(tmp_path / "in" / f"ada_{NAME}.ipynb", "mine")
    (tmp_path / "secret.ipynb").write_text("not mine")
    (tmp_path / "in" / f"bob_{NAME}.ipynb").symlink_to(tmp_path / "secret.ipynb")
    (tmp_path / "in" / "all.zip").symlink_to("all.zip")
    (tmp_path / "in" / "cyd").symlink_to(tmp_path)
    os.mkfifo(tmp_path / "in" / f"eve_{NAME}.ipynb")
    found = collect(directory, UNIT, [tmp_path / "in"])
    assert {file.student for file in found if not file.problem} == {"ada"}
    problems = {file.path: file.problem for file in found if file.problem}
    assert set(problems) == {f"bob_{NAME}.ipynb", "all.zip", "cyd", f"eve_{NAME}.ipynb"}
    assert "is a named pipe" in problems[f"eve_{NAME}.ipynb"]
    assert directory.students(UNIT) == ["ada"]


def test_a_zip_that_unpacks_to_far_too_much_costs_no_other(directory, tmp_path):
    (tmp_path / "in").mkdir()
    with zipfile.ZipFile(tmp_path / "in" / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(4):
            archive.writestr(f"x{number}_{NAME}.ipynb", bytes(100_000_000))
    write(tmp_path / "in" / f"zoe_{NAME}.ipynb")
    found = collect(directory, UNIT, [tmp_path / "in"])
    assert "unpacks to far more than its size" in next(file.problem for file in found if file.path == "bomb.zip")
    assert "zoe" in directory.students(UNIT)


def test_a_zip_with_odd_names_is_unpacked(directory, tmp_path):
    (tmp_path / "in.zip").write_bytes(
        zipped({"/": "x", "a/": "x", f"\x1b[2J_{NAME}.ipynb": "x", f"ada_{NAME}.ipynb": "x"})
    )
    found = collect(directory, UNIT, [tmp_path / "in.zip"])
    assert {file.student for file in found if not file.problem} == {"ada"}


@pytest.mark.parametrize(
    ("path", "student"),
    [
        (f"Ada Lovelace_4711_assignsubmission_file_/x_777_1_{NAME}.ipynb", "4711"),
        (f"Ada Lovelace_4711_assignsubmission_file_x_777_assignsubmission_file_{NAME}.ipynb", "4711"),
        (f"lovelaceada_12345_67890_hw/zoe_777_1_{NAME}.ipynb", "12345"),
        ("lovelaceada_12345_67890_x_777_assignsubmission_file_.ipynb", "12345"),
    ],
)
def test_no_student_can_name_a_file_so_that_it_is_anothers(directory, tmp_path, path, student):
    """What an LMS wrote is in front; what follows, a student chose."""
    write(tmp_path / "in" / path, "mine")
    assert [file.student for file in collect(directory, UNIT, [tmp_path / "in"])] == [student]
