"""A known mistake is named only where it is certain."""

from dataclasses import replace

import torch

from course_lib.cards.observed import Mistake
from course_lib.checks.diagnosis import diagnoses
from course_lib.checks.evidence import Evidence, Observation
from course_lib.checks.finding import Finding, Kind, finding_of

SCALE, MASK, AXIS = ((Mistake(f"attention/{slug}", slug),) for slug in ("scale", "mask", "axis"))
BOTH = SCALE + MASK
RIGHT = torch.randn(3, 4, generator=torch.Generator().manual_seed(0))


class Told(Evidence):
    def __init__(self, fitting, excluded, observation):
        super().__init__(fitting)
        self.excluded, self.observation = excluded, observation

    def excludes(self, mistakes):
        return mistakes in self.excluded


def finding(*fitting, excluded=(), observation=None):
    return Finding("is 1").weighed(lambda: Told(fitting, excluded, observation))


def observation(got, asked="values"):
    return Observation(asked, {"y": got}, {"y": RIGHT})


def named(*findings, would_pass=lambda mistakes: True):
    return diagnoses(findings, would_pass)


def test_a_mistake_that_fits_is_named():
    assert named(finding(SCALE, excluded=[MASK]), finding(SCALE)) == [SCALE, SCALE]


def test_a_mistake_that_another_finding_contradicts_is_not_named_anywhere():
    assert named(finding(SCALE), finding(excluded=[SCALE])) == [(), ()]


def test_a_mistake_that_would_fail_what_the_answer_passed_is_not_named():
    assert named(finding(SCALE, MASK), would_pass=lambda mistakes: mistakes == MASK) == [MASK]
    assert named(finding(SCALE), would_pass=lambda mistakes: False) == [()]


def test_of_two_mistakes_that_look_alike_neither_is_named():
    assert named(finding(SCALE, MASK)) == [()]


def test_the_mistake_behind_most_findings_is_named():
    assert named(finding(SCALE, MASK), finding(SCALE), finding(AXIS)) == [SCALE, SCALE, AXIS]


def test_one_slip_is_named_rather_than_two_and_two_where_one_is_contradicted():
    assert named(finding(BOTH, SCALE)) == [SCALE]
    assert named(finding(SCALE, BOTH), finding(BOTH, excluded=[SCALE])) == [BOTH, BOTH]


def test_a_relation_holds_in_all_findings_on_the_same_outputs():
    double, reversed_too = observation(2 * RIGHT), observation(2 * RIGHT.flip(0))
    one, two = named(finding(observation=double), finding(observation=double))
    assert one == two != ()
    assert "2" in one[0].says
    assert named(finding(observation=double), finding(observation=reversed_too)) == [(), ()]
    other = finding(observation=observation(RIGHT.flip(0), asked="gradients"))
    first, second = named(finding(observation=double), other)
    assert first == one
    assert "revers" in second[0].says


def test_a_shape_may_differ_in_each_finding_in_its_own_way():
    one, two = named(finding(observation=observation(RIGHT[None])), finding(observation=observation(RIGHT.T)))
    assert one != ()
    assert one != two != ()


def test_known_mistakes_come_before_relations():
    assert named(finding(SCALE, observation=observation(2 * RIGHT))) == [SCALE]


def test_an_exception_is_explained():
    raised = Finding("raised NameError", detail="name 'F' is not defined", line="F.softmax(x)", error="NameError")
    raised = finding_of(replace(raised.observed, kind=Kind.RAISED))
    assert [mistake.id for mistake in named(raised)[0]] == ["crash/not-imported"]
