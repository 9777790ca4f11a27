"""The progress panel: what was checked in this session, with the points at stake."""

import pytest

from course_lib.cards.exercise_index import exercises, standing, summary, unit_of
from course_lib.cards.session_outcomes import Outcome, note, outcomes
from course_lib.checks import CheckFailed, check
from course_lib.nn.softmax import softmax
from course_lib.widgets import progress


def test_checks_are_noted():
    check("softmax", softmax)
    with pytest.raises(CheckFailed):
        check("softmax_jacobian", lambda x: x)
    with pytest.raises(NotImplementedError):
        check("saturation_threshold", ...)
    assert outcomes() == {
        "softmax": Outcome.PASSES,
        "softmax_jacobian": Outcome.FAILS,
        "saturation_threshold": Outcome.NOT_TRIED,
    }


def test_the_last_check_counts():
    with pytest.raises(CheckFailed):
        check("softmax", lambda x, dim: x)
    check("softmax", softmax)
    assert outcomes() == {"softmax": Outcome.PASSES}


def test_a_grader_leaves_no_note(grader):
    check("softmax", softmax)
    assert outcomes() == {}


def test_the_panel_counts_what_passes_what_is_graded_later_and_what_is_not_right():
    note("softmax", Outcome.PASSES)
    note("softmax_jacobian", Outcome.FAILS)
    note("softargmax_limits", Outcome.ANSWERED)
    note("dilute", Outcome.NOT_TRIED)
    panel = progress()
    assert panel.unit == "02"
    lines = {line.split()[0]: line for line in panel.text().splitlines()}
    assert lines["softmax"].endswith("4  ✓ passes")
    assert lines["softmax_jacobian"].endswith("3  ✗ does not pass yet")
    assert lines["softargmax_limits"].endswith("2  ○ answered, graded later")
    assert lines["dilute"].endswith("2  not tried")
    assert lines["preserve"].endswith("2  not checked yet")
    assert "4 points: checks pass · 2: answered, graded later · 3: ✗ · 36: open" in panel.text()
    assert "course check --full" in panel.text()


def test_a_person_reads_explanations():
    lines = standing("01", {})
    assert [line.exercise for line in lines if line.by_person] == ["explain_attention_matrix"]
    assert summary(lines) == "0 points: checks pass · 4: graded by a person · 36: open"


def test_the_page_has_no_colours_of_its_own_and_names_its_columns(reader):
    progress("01")._ipython_display_()
    page = reader.shown[0]["text/html"]
    assert "#" not in page.replace("&#", "")
    assert page.count('scope="col"') == 3
    assert page.count('scope="row"') == len(exercises()["01"]["exercises"])


def test_a_grader_sees_no_panel(grader):
    progress("01")._ipython_display_()
    assert grader.shown == []


def test_a_unit_must_be_known():
    with pytest.raises(ValueError, match="no check has been run yet: name the unit"):
        progress()
    with pytest.raises(ValueError, match="there is no unit '42'"):
        progress("42")
    assert unit_of(["LayerNorm", "softmax", "FeedForward"]) == "05"
