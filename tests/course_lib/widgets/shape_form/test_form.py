"""Shape forms: checked as one types, by the same products as the visible check, and copied out as Python."""

import ast
import json

import pytest

from autograder.exams import EXAMS
from course_lib.cards.cards import read_cards
from course_lib.cards.shape_exercises import SHAPE_EXERCISES
from course_lib.cards.sheet_verdicts import EntryVerdict
from course_lib.checks import check
from course_lib.widgets import shape_form
from course_lib.widgets.display import VIEW

PNG = '<img src="data:image/png;base64,'
FORM = pytest.mark.parametrize("exercise", sorted(SHAPE_EXERCISES))


def right_sheet(exercise):
    return dict(EXAMS[exercise].sheet)


@FORM
def test_a_right_sheet_fits_and_its_python_passes_the_check(exercise):
    form = shape_form(exercise)
    form.box()
    for name, text in right_sheet(exercise).items():
        form.chips[name].field.value = text
    assert {verdict.fits for verdict in form.verdicts.values()} <= {True, None}
    assert sum(verdict.fits is True for verdict in form.verdicts.values()) > len(form.sheet) / 2
    answer = ast.literal_eval(form.python().partition(" = ")[2])
    check(exercise, answer)


@FORM
def test_nothing_expected_can_be_read_out_of_an_empty_form(exercise):
    form = shape_form(exercise)
    told = json.dumps([form.python(), form.picture.alt, [v.says for v in form.verdicts.values()]])
    given = {" ".join(shape) for shape in read_cards()[exercise]["given"].values()}
    for text in set(right_sheet(exercise).values()) - given:
        assert text not in told
        assert f"({text.replace(' ', ', ')})" not in told
    assert all(verdict.fits is None for verdict in form.verdicts.values())


def test_a_wrong_shape_is_named_as_soon_as_it_can_be():
    form = shape_form("cross_attention_shapes", {"W_k": "d d_q"})
    assert form.verdicts["W_k"].says == "nothing to multiply it with yet"
    form.type("K", "B n_tgt d_q")
    assert form.verdicts["K"].fits is False
    assert form.verdicts["K"].says.startswith("K is made from X_src: does it have a row for each target token or")
    assert form.verdicts["W_k"] == EntryVerdict(None, "judged once K is right", ("d", "d_q"))
    form.type("K", "B n_src d_q")
    assert form.verdicts["K"].fits is form.verdicts["W_k"].fits is True


@FORM
def test_however_much_is_typed_the_form_asks_and_never_tells(exercise):
    """A keystroke is no try: only the check, run several times, says what follows."""
    right = right_sheet(exercise)
    form = shape_form(exercise, right)
    for _ in range(4):
        for name, entry in right.items():
            for wrong in (f"B {entry}", " ".join(reversed(entry.split())), entry):
                form.type(name, wrong)
                for other, verdict in form.verdicts.items():
                    assert f"({right[other].replace(' ', ', ')})" not in verdict.says


def test_the_button_writes_python_with_dots_for_what_is_open():
    form = shape_form("matmul_shapes", {"W": "d d_k"})
    button, answer = form.box().children[2:]
    button.click()
    assert answer.value.splitlines()[:3] == ["matmul_shapes = {", '    "W": "d d_k",', '    "P": ...,']


def test_where_there_are_no_arrows_a_field_says_its_product_and_nothing_that_is_not_so():
    """That A has the shape of the scores does not make it the scores."""
    form = shape_form("cross_attention_shapes")
    form.box()
    formulas = {name: chip.box.children[0].value for name, chip in form.chips.items() if len(chip.box.children) == 3}
    assert formulas["scores"] == "scores = Q @ K.T"
    assert "A" not in formulas


def test_fields_are_labelled_and_verdicts_are_words(screen):
    form = shape_form("matmul_shapes")
    form._ipython_display_()
    assert [chip.field.description for chip in form.chips.values()] == ["W", "P", "G", "S", "R"]
    form.chips["W"].field.value = "d d_k"
    form.chips["P"].field.value = "B d n"
    assert '<div role="status">✗ How wide does the exercise make P' in form.chips["P"].said.value
    assert "course-breaks" in form.chips["P"].field._dom_classes
    form.chips["P"].field.value = "B n d_k"
    assert '<div role="status">✓ fits' in form.chips["P"].said.value
    assert "course-breaks" not in form.chips["P"].field._dom_classes


def test_what_is_saved_shows_the_sheet_as_typed(screen):
    form = shape_form("matmul_shapes")
    form._ipython_display_()
    live, stand_in = screen.shown
    assert VIEW in live
    assert VIEW not in stand_in
    assert "W has shape unknown" in stand_in["text/plain"]
    assert 'alt="Four products' in stand_in["text/html"]
    form.chips["W"].field.value = "d d_k"
    assert "W has shape (d, d_k)" in screen.updates[-1]["text/plain"]
    assert PNG in stand_in["text/html"]
    assert screen.updates[-1]["text/html"].partition(PNG)[2] != stand_in["text/html"].partition(PNG)[2]


@FORM
def test_tab_goes_from_top_to_bottom(exercise):
    form = shape_form(exercise)
    box = form.box()
    tensors = read_cards()[exercise]["tensors"]
    order = [widget.description for widget in descendants(box) if widget in fields(form)]
    assert order == [name for name in SHAPE_EXERCISES[exercise].flow.tensors if name in tensors]


def descendants(widget):
    for child in getattr(widget, "children", ()):
        yield child
        yield from descendants(child)


def fields(form):
    return {chip.field for chip in form.chips.values()}


def test_text_that_is_no_shape_cannot_become_code():
    form = shape_form("matmul_shapes", {"W": 'd", "P": print(1), "x": "'})
    assert ast.literal_eval(form.python().partition(" = ")[2])["W"] is ...


def test_a_reader_gets_the_diagram_and_a_grader_nothing(reader, monkeypatch):
    shape_form("matmul_shapes")._ipython_display_()
    assert len(reader.shown) == 1
    assert "W has shape unknown" in reader.shown[0]["text/plain"]
    assert PNG in reader.shown[0]["text/html"]
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    shape_form("matmul_shapes")._ipython_display_()
    assert len(reader.shown) == 1


def test_other_exercises_have_no_form():
    with pytest.raises(ValueError, match="'softmax' has no shape form; those that do are matmul_shapes"):
        shape_form("softmax")
