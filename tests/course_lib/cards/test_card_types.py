"""The types of the cards and of the exercise index have the fields that the JSON has."""

from typing import get_args

import pytest

from course_lib.cards import card_types
from course_lib.cards.cards import read_cards
from course_lib.cards.exercise_index import exercises

TYPES = {get_args(card.__annotations__["kind"])[0]: card for card in get_args(card_types.Card)}


def fields(kind):
    return kind.__annotations__.keys()


@pytest.mark.parametrize(("name", "card"), read_cards().items(), ids=read_cards())
def test_a_card_has_the_fields_of_its_type(name, card):
    assert card.keys() == fields(TYPES[card["kind"]])
    case_type = {"code": card_types.CodeCase, "module": card_types.ModuleCase}.get(card["kind"])
    for case in card.get("cases", []):
        assert case.keys() == fields(case_type)
        for weight in case.get("weights") or []:
            assert weight.keys() == fields(card_types.EncodedWeight)
            assert weight["value"].keys() == fields(card_types.EncodedTensor)


def test_the_exercise_index_has_the_fields_of_its_types():
    for unit in exercises().values():
        assert unit.keys() == fields(card_types.IndexedUnit)
        for exercise in unit["exercises"]:
            assert exercise.keys() == fields(card_types.IndexedExercise)
