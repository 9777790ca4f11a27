"""The rules of shape sheets: right sheets keep them, wrong ones do not, and what is said first gives nothing away."""

import random

import pytest

from autograder.exams import EXAMS
from course_lib.cards.shape_algebra import parse_shape, show_shape
from course_lib.cards.shape_exercises import SHAPE_EXERCISES
from course_lib.cards.shape_questions import QUESTIONS
from course_lib.cards.sheet_rules import judge

EACH = pytest.mark.parametrize("exercise", SHAPE_EXERCISES)


def judged(exercise, sheet):
    given = SHAPE_EXERCISES[exercise].given
    return list(judge(exercise, {name: parse_shape(entry) for name, entry in (given | sheet).items()}))


def clashes(exercise, sheet):
    return [judgement.clash for judgement in judged(exercise, sheet) if judgement.clash]


def damaged(sheet, dimensions, rng):
    """The sheet with one or two entries replaced: by another's, turned round, or with another dimension."""
    sheet = dict(sheet)
    for name in rng.sample(sorted(sheet), rng.choice((1, 1, 2))):
        entry = sheet[name].split()
        place = rng.randrange(len(entry))
        ways = (
            lambda: rng.choice(list(sheet.values())).split(),
            lambda entry=entry: entry[:-2] + entry[:-3:-1],
            lambda entry=entry, place=place: [*entry[:place], rng.choice(dimensions), *entry[place + 1 :]],
            lambda entry=entry, place=place: entry[:place] + entry[place + 1 :] or entry,
            lambda entry=entry: ["B", *entry],
        )
        sheet[name] = " ".join(rng.choice(ways)())
    return sheet


@EACH
def test_all_rules_hold_exactly_where_the_exam_gives_full_points(exercise):
    exam, rng = EXAMS[exercise], random.Random(0)
    right = wrong = 0
    for _ in range(300):
        sheet = damaged(exam.sheet, exam.dimensions, rng)
        full = exam.grade(sheet).score == exam.points
        assert full == (not clashes(exercise, sheet)), sheet
        right, wrong = right + full, wrong + (not full)
    assert min(right, wrong) > 5


@EACH
def test_two_widths_exchanged_everywhere_are_seen(exercise):
    """Every product fits: only the words of the notebook say which is which."""
    exam = EXAMS[exercise]
    for one, other in (("d_q", "d_v"), ("d_k", "d_v"), ("d_k", "d"), ("h*d_k", "d_k"), ("d_ff", "d_k")):
        swap = {one: other, other: one}
        sheet = {name: " ".join(swap.get(part, part) for part in entry.split()) for name, entry in exam.sheet.items()}
        if sheet != exam.sheet:
            assert clashes(exercise, sheet), (one, other)


@EACH
def test_every_misconception_clashes_where_its_own_entries_are_wrong(exercise):
    """And never in an entry that is right."""
    exam = EXAMS[exercise]
    for misconception in exam.misconceptions:
        slips = {name for name, entry in misconception.answer.items() if entry != exam.sheet[name]}
        found = {clash.tensor for clash in clashes(exercise, misconception.answer)}
        assert found, misconception.slug
        assert found <= slips, misconception.slug


@EACH
def test_what_is_said_first_and_second_holds_no_shape_of_the_answer(exercise):
    exam, rng = EXAMS[exercise], random.Random(1)
    for _ in range(200):
        for clash in clashes(exercise, damaged(exam.sheet, exam.dimensions, rng)):
            right = show_shape(parse_shape(exam.sheet[clash.tensor]))
            assert clash.question.endswith("?")
            assert right not in clash.question
            assert "multiplies" in clash.where or right not in clash.where


def test_what_follows_from_something_wrong_is_not_judged():
    sheet = EXAMS["cross_attention_shapes"].sheet | {"K": "B n_tgt d_q"}
    waits = {one.rule.name: one.waits_for for one in judged("cross_attention_shapes", sheet) if one.waits_for}
    assert waits == {"scores = Q @ K.T": "K", "A = scores": "scores", "Z = A @ V": "A"}


def test_a_weight_is_named_where_it_is_the_weight_that_does_not_fit():
    sheet = EXAMS["cross_attention_shapes"].sheet
    for entry in ("d_q d", "d d_v", "B d d_q", "d"):
        assert [clash.tensor for clash in clashes("cross_attention_shapes", sheet | {"W_q": entry})] == ["W_q"]


def test_three_tries_say_more_and_more():
    clash = clashes("cross_attention_shapes", EXAMS["cross_attention_shapes"].sheet | {"K": "B n_tgt d_q"})[0]
    assert clash.says(1) == "K is made from X_src: does it have a row for each target token or for each source token?"
    assert clash.says(2) == "In your K, dimension 1 (n_tgt) is not what X_src @ W_k gives"
    assert clash.says(3) == clash.says(7) == "X_src @ W_k gives (B, n_src, d_q), but your sheet says (B, n_tgt, d_q)"


@EACH
def test_every_relation_has_its_question(exercise):
    assert QUESTIONS[exercise].keys() == set(SHAPE_EXERCISES[exercise].relations)


def test_a_sheet_in_progress_is_judged_as_far_as_it_goes():
    names = [one.rule.name for one in judged("matmul_shapes", {"W": "d d_k", "P": "B n d_k"}) if one.rule.inputs]
    assert names == ["P = X @ W"]
