"""Verdicts on single entries of a shape sheet."""

import pytest

from autograder.exams.unit_04.shape_sheet import SHEET
from course_lib.cards.sheet_verdicts import EntryVerdict, shapes_card, sheet_verdicts
from course_lib.checks import CheckFailed, check


@pytest.mark.parametrize(("text", "words"), [("d q!", "is not the name"), ("d d_z", "no dimension called d_z")])
def test_what_cannot_be_read_is_said(text, words):
    verdict = sheet_verdicts("cross_attention_shapes", {"W_q": text})["W_q"]
    assert verdict.fits is False
    assert words in verdict.says


def test_verdicts_and_check_agree():
    sheet = SHEET | {"H": "B n_k d"}
    assert sheet_verdicts("multi_head_shapes", sheet)["H"].fits is False
    with pytest.raises(CheckFailed):
        check("multi_head_shapes", sheet)


@pytest.mark.parametrize("entry", [None, ..., "", "  "])
def test_of_an_empty_entry_nothing_is_said(entry):
    assert sheet_verdicts("cross_attention_shapes", {"W_q": entry})["W_q"] == EntryVerdict(None, "")


def test_other_exercises_have_no_sheet():
    with pytest.raises(ValueError, match="softmax is not a shape exercise"):
        shapes_card("softmax")
