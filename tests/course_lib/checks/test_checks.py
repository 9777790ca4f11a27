"""Visible checks: right answers pass, known mistakes are named, stubs are told apart, and no answer shows."""

import json
import sys

import pytest
import torch
import torch.nn.functional as F
from torch.nn.functional import scaled_dot_product_attention as imported_attention

from autograder.exam_types import CodeExam, ShapesExam
from autograder.exams import EXAMS
from course_lib.cards.cards import decode, encode, read_cards
from course_lib.checks import CheckFailed, check
from course_lib.checks.result_text import diagnosis_text

CODE = [exam for exam in EXAMS.values() if isinstance(exam, CodeExam)]


def message(exercise, answer):
    with pytest.raises(CheckFailed) as error:
        check(exercise, answer)
    return str(error.value)


@pytest.mark.parametrize("exam", EXAMS.values(), ids=lambda exam: exam.exercise)
def test_right_answers_pass_or_are_answered(exam, capsys):
    for answer in (exam.reference, *exam.accepted):
        check(exam.exercise, answer)
        printed = capsys.readouterr().out
        assert printed[0] in ("✓○" if not isinstance(exam, CodeExam | ShapesExam) else "✓")
        assert printed[1:].startswith(f" {exam.exercise}")
        assert "✗" not in printed


@pytest.mark.parametrize("exam", CODE, ids=lambda exam: exam.exercise)
def test_misconceptions_are_named(exam):
    """Most of them: some show in what only the exam asks, and pass the visible check."""
    said = {known: complaint(exam.exercise, known.answer) for known in exam.misconceptions}
    complaints = {known: text for known, text in said.items() if text}
    assert all(f"→ {diagnosis_text([exam.mistake(known)])}" in text for known, text in complaints.items())
    assert len(complaints) > len(said) / 2


def complaint(exercise, answer):
    try:
        check(exercise, answer)
    except CheckFailed as error:
        return str(error)
    return None


@pytest.mark.parametrize("exam", EXAMS.values(), ids=lambda exam: exam.exercise)
def test_blank_answers_raise_not_implemented(exam):
    def stub(*arguments):
        raise NotImplementedError

    blanks = {CodeExam: stub, ShapesExam: dict.fromkeys(getattr(exam, "sheet", ()), ...)}
    with pytest.raises(NotImplementedError, match=r"not (written|filled in|answered) yet"):
        check(exam.exercise, blanks.get(type(exam), ...))


@pytest.mark.parametrize(
    ("entry", "sentence"),
    [("B n_source d_q", "no dimension called n_source"), (3, "got 3"), (..., "no shape for K yet")],
)
def test_unreadable_entry_of_a_sheet(entry, sentence):
    assert sentence in message("cross_attention_shapes", EXAMS["cross_attention_shapes"].sheet | {"K": entry})


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [("AG", "has G, but the choices are A to F"), (7, "should be letters"), ("", "chooses nothing")],
)
def test_unreadable_choice(answer, sentence):
    assert sentence in message("query_key_value_roles", answer)


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (torch.ones(2, 2), "should be (matrix, matrix), but it is a tensor of shape (2, 2)"),
        ((torch.ones(2), torch.ones(2)), "should have shape (n, d), but its shape is (2,)"),
        ((torch.ones(2, 3), torch.ones(3, 2)), "the same shape"),
        ((torch.ones(1, 1), torch.tensor([[float("nan")]])), "finite"),
        (([[1.0]], torch.ones(1, 1)), "should be a tensor"),
    ],
)
def test_unreadable_counterexample(answer, sentence):
    assert sentence in message("not_additive", answer)


def test_token_index_out_of_range():
    assert "tokens 0 to 1" in message("mixes_tokens", (torch.ones(2, 3), 0, 2))


def test_error_is_shown_with_the_students_line():
    def attention(q, k, v, mask=None):
        return q @ k, None

    text = message("scaled_dot_product_attention", attention)
    assert "raised RuntimeError" in text
    assert "return q @ k, None" in text
    assert "Traceback" not in text


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (lambda q, k, v, mask=None: v, "returned one Tensor, expected 2 values: (output, weights)"),
        (lambda q, k, v, mask=None: (q, k, v), "returned 3 values"),
        (lambda q, k, v, mask=None: ([1], [2]), "should be a tensor"),
        (5, "should be a function, but it is of type int"),
        (lambda q: q, "TypeError"),
        (lambda q, k, v, mask=None: None, "returned nothing, expected (output, weights): does it end with `return`?"),
    ],
)
def test_wrong_kinds_of_answer(answer, sentence):
    assert sentence in message("scaled_dot_product_attention", answer)


def test_writing_to_stderr_is_no_error(capsys):
    def writes(X):
        print("a warning, for example", file=sys.stderr)
        return X @ X.T @ X

    check("gram_attention", writes)
    assert capsys.readouterr().err == ""


def test_forbidden_functions_are_found_by_any_name():
    def by_module(q, k, v, mask=None):
        return F.scaled_dot_product_attention(q, k, v), None

    def by_import(q, k, v, mask=None):
        return imported_attention(q, k, v), None

    def by_full_path(q, k, v, mask=None):
        return torch.nn.functional.scaled_dot_product_attention(q, k, v), None

    def by_getattr(q, k, v, mask=None):
        return getattr(F, "scaled_dot_product_attention")(q, k, v), None  # noqa: B009

    def by_spelling(q, k, v, mask=None):
        return getattr(F, "scaled_dot_product" + "_attention")(q, k, v), None

    def by_import_inside(q, k, v, mask=None):
        from torch.nn.functional import scaled_dot_product_attention as hidden

        return hidden(q, k, v), None

    ways = (by_module, by_import, by_full_path, by_getattr, by_spelling, by_import_inside, imported_attention)
    for answer in ways:
        text = message("scaled_dot_product_attention", answer)
        assert "may not use torch.nn.functional.scaled_dot_product_attention" in text


def test_ones_own_function_may_have_the_forbidden_name():
    class Mine:
        @staticmethod
        def scaled_dot_product_attention(q, k, v, mask=None):
            return EXAMS["scaled_dot_product_attention"].reference(q, k, v, mask)

    check("scaled_dot_product_attention", lambda *arguments: Mine.scaled_dot_product_attention(*arguments))


@pytest.mark.parametrize("right", [True, False])
def test_silent_while_nbgrader_grades(right, monkeypatch, capsys):
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    check("gram_attention", EXAMS["gram_attention"].reference if right else None)
    assert capsys.readouterr() == ("", "")


def test_failure_shows_no_traceback_in_a_notebook():
    with pytest.raises(CheckFailed) as error:
        check("gram_attention", lambda X: X)
    assert "\n".join(error.value._render_traceback_()) == str(error.value)


def test_unknown_exercise():
    with pytest.raises(ValueError, match="no exercise called 'grahm'"):
        check("grahm", None)


def test_cards_hold_no_answer_of_value_exercises():
    cards = json.dumps([read_cards()[name] for name, exam in EXAMS.items() if not isinstance(exam, CodeExam)])
    assert "ACE" not in cards
    sheet = EXAMS["cross_attention_shapes"].sheet
    for entry in sheet.values():
        assert json.dumps(entry.split()) not in cards
        assert json.dumps(entry) not in cards


def test_encoding_there_and_back():
    for tensor in (torch.tensor([[0.5, -1.25]]), torch.tensor([True, False]), torch.zeros(0, 3), torch.tensor(7)):
        again = decode(json.loads(json.dumps(encode(tensor))))
        assert again.dtype == tensor.dtype
        assert torch.equal(again, tensor)
