"""The notes beside a submission: any time that nbgrader reads, and nothing that a name of a zone could open."""

from datetime import datetime

import pytest

from autograder.classroom.notes import TIMESTAMP, read_note, read_notes, read_timestamp
from autograder.outside_files import Refused


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2027-03-01 17:55:00.000000 UTC\n", datetime(2027, 3, 1, 17, 55)),
        ("2027-03-01 17:55:00.123456 +0200", datetime(2027, 3, 1, 15, 55, 0, 123456)),
        ("2027-03-01T17:55:00Z", datetime(2027, 3, 1, 17, 55)),
        ("2027-03-01 17:55:00 Europe/Berlin", datetime(2027, 3, 1, 16, 55)),
        ("March 1, 2027 5:55 pm", datetime(2027, 3, 1, 17, 55)),
        ("", None),
        (" \n", None),
    ],
)
def test_times_are_read_in_the_forms_that_nbgrader_reads(tmp_path, text, moment):
    assert read_timestamp(text, tmp_path / TIMESTAMP) == moment


@pytest.mark.parametrize(
    "text",
    [
        *("soon", "0000-00-00 99:99:99 UTC", "2027-01-01 00:00:00 ../../dev/zero", "2027-01-01 00:00:00 /etc/passwd"),
        *("9999-12-31 23:59:59 -2300", "2027-01-01 00:00:00 +999999999999", "\x1b]0;x\x07", "1" * 900),
    ],
)
def test_what_is_no_time_is_refused_with_the_form_expected(tmp_path, text):
    with pytest.raises(Refused, match=r"timestamp.txt says .* expected a time such as 2027-03-01") as caught:
        read_timestamp(text, tmp_path / TIMESTAMP)
    assert str(caught.value).isprintable()


def test_notes_are_files(tmp_path):
    (tmp_path / "key").write_text("secret")
    (tmp_path / "ada").mkdir()
    assert read_notes(tmp_path, tmp_path / "ada") == {}
    (tmp_path / "ada" / TIMESTAMP).write_bytes(b"\xff")
    with pytest.raises(Refused, match="is not UTF-8 text"):
        read_note(tmp_path, tmp_path / "ada" / TIMESTAMP)
    (tmp_path / "ada" / "submission_secret.txt").symlink_to(tmp_path / "key")
    with pytest.raises(Refused, match="is a symbolic link"):
        read_note(tmp_path, tmp_path / "ada" / "submission_secret.txt")
