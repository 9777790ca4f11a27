"""Flows of shape exercises: what is computed stands below what it is computed from, and lines join them."""

import pytest

from course_lib.cards import read_cards
from course_lib.cards.sheet_verdicts import tensors_of
from course_lib.widgets.shape_form.exercise_flows import FLOWS
from course_lib.widgets.shape_form.flow import Block, Carried, Flow, Line, Passing, lines_between, lines_out

EACH = pytest.mark.parametrize("exercise", sorted(FLOWS))


@EACH
def test_every_product_is_a_block_below_its_factors(exercise):
    """A tensor is computed below everything that it is computed from."""
    flow, card = FLOWS[exercise], read_cards()[exercise]
    level = {name: number for number, row in enumerate(flow.rows) for name in Flow((row,)).tensors}
    for relation in card["relations"]:
        result = relation.split(" = ")[0]
        assert all(level[factor] < level[result] for factor in tensors_of(relation) - {result}), relation


@EACH
def test_rows_fill_the_columns(exercise):
    flow = FLOWS[exercise]
    assert {sum(cell.columns for cell in row) for row in flow.rows} == {len(flow.widths)}


def test_lines_join_what_stands_over_each_other():
    above = (Carried("X", 2), Passing())
    below = (Block("a"), Block("b", 2))
    assert lines_between(above, below) == [
        Line(0, 1, arrives=True, right=True),
        Line(1, 2, arrives=True, left=True),
        Line(2, 3, arrives=True),
    ]
    assert lines_between((Block("a", 2),), (Carried("Y"), Carried("M", outside=True))) == [Line(0, 1, arrives=False)]
    assert lines_out((Carried("G"), Carried("R", 2))) == [Line(0, 1, arrives=True), Line(1, 3, arrives=True)]
