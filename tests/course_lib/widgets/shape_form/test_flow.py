"""Lines between the rows of a flow."""

from course_lib.cards.shape_flow import Block, Carried, Passing
from course_lib.widgets.shape_form.flow import Line, lines_between, lines_out


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
