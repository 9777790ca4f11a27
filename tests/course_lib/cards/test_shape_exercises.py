"""Shape exercises: relations, flow and diagram of one description say the same, and the cards are made from it."""

import pytest

from course_lib.cards.cards import read_cards
from course_lib.cards.shape_algebra import parse_shape
from course_lib.cards.shape_exercises import CROSS_ATTENTION, DECODER_BLOCK, SHAPE_EXERCISES
from course_lib.cards.shape_flow import Arrow, Flow
from course_lib.cards.sheet_rules import tensors_of

EACH = pytest.mark.parametrize("exercise", SHAPE_EXERCISES.values(), ids=SHAPE_EXERCISES)


def test_every_shape_exercise_is_described():
    assert {name for name, card in read_cards().items() if card["kind"] == "shapes"} == set(SHAPE_EXERCISES)


@EACH
def test_the_card_is_made_from_the_description(exercise):
    card = read_cards()[exercise.name]
    assert card["dimensions"] == list(exercise.dimensions)
    assert card["relations"] == list(exercise.relations)
    assert card["given"] == {name: list(parse_shape(shape)) for name, shape in exercise.given.items()}
    names = sorted([*card["tensors"], *card["given"]])
    assert sorted(exercise.flow.tensors) == sorted(exercise.boxes) == names
    assert {end for arrow in exercise.arrows for end in (arrow.start, arrow.end)} == set(names)


@EACH
def test_every_product_is_a_block_below_its_factors(exercise):
    """A tensor is computed below everything that it is computed from."""
    level = {name: number for number, row in enumerate(exercise.flow.rows) for name in Flow((row,)).tensors}
    for relation in exercise.relations:
        result = relation.split(" = ")[0]
        assert all(level[factor] < level[result] for factor in tensors_of(relation) - {result}), relation


@EACH
def test_arrows_lead_from_the_factors_of_a_product_to_its_result(exercise):
    into = {(arrow.start, arrow.end) for arrow in exercise.flow.arrows()}
    for relation in exercise.relations:
        result, formula = relation.split(" = ")
        if "@" in formula:
            assert {start for start, end in into if end == result} == tensors_of(relation) - {result}, relation


@EACH
def test_rows_fill_the_columns(exercise):
    assert {sum(cell.columns for cell in row) for row in exercise.flow.rows} == {len(exercise.flow.widths)}


def test_an_arrow_is_labelled_with_its_step():
    assert Arrow("scores", "A", "softmax") in CROSS_ATTENTION.arrows
    assert Arrow("Q", "scores") in CROSS_ATTENTION.arrows


def test_in_the_decoder_block_arrows_go_through_weights():
    arrows = [arrow for arrow in DECODER_BLOCK.arrows if "W_o1" in (arrow.start, arrow.end)]
    assert arrows == [Arrow("Z1", "W_o1"), Arrow("W_o1", "H1", "+ X, norm")]


@EACH
def test_labels_are_those_of_arrows(exercise):
    assert exercise.labels.keys() <= {(arrow.start, arrow.end) for arrow in exercise.arrows}
