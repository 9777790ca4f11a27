"""In every unit, an exercise that calls an earlier answer keeps its points when that one is blank, wrong or broken."""

import pytest

from autograder.authoring.audit import follow_through
from autograder.authoring.audit.follow_through import audit_follow_through
from autograder.course.units import find_unit, written_units
from autograder.examiner import sealed_grading

pytestmark = pytest.mark.xdist_group("follow-through")


@pytest.mark.parametrize("unit", written_units(), ids=lambda unit: unit.id)
def test_no_mistake_is_paid_for_twice(unit):
    found = audit_follow_through(unit)
    assert found.full, found.problems
    assert found.total or unit.id == "00"


def test_without_follow_through_it_fails(monkeypatch):
    monkeypatch.setattr(sealed_grading, "follow_through", lambda *_: False)
    found = audit_follow_through(find_unit("01"))
    assert len(found.problems) == len(follow_through.SPOILS)
    assert "cross_attention loses points when scaled_dot_product_attention is blank" in found.problems[0]
