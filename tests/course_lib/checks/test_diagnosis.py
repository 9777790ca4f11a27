"""A known mistake is named only where it is certain."""

from course_lib.cards.observed import Mistake
from course_lib.checks.diagnosis import diagnoses
from course_lib.checks.evidence import Evidence
from course_lib.checks.finding import Finding

SCALE, MASK, AXIS = ((Mistake(f"attention/{slug}", slug),) for slug in ("scale", "mask", "axis"))
BOTH = SCALE + MASK


def finding(*fitting, excluded=(), describe=(), outputs=()):
    evidence = Evidence(tuple(fitting), frozenset(excluded), tuple(outputs), lambda: describe)
    return Finding("is 1").weighed(lambda: evidence)


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
    double, shifted = Mistake("relation/factor 2", "twice"), Mistake("relation/shifted", "shifted")
    one = finding(describe=[double, shifted], outputs=["values", "y"])
    two = finding(describe=[shifted], outputs=["values", "y"])
    other = finding(describe=[double], outputs=["gradients", "y"])
    assert named(one, two, other) == [(shifted,), (shifted,), (double,)]
    assert named(one, finding(outputs=["values", "y"])) == [(), ()]


def test_a_relation_that_holds_by_chance_in_one_finding_may_be_certain_in_another():
    here, there = (Mistake("relation/factor 2", f"twice in {name}") for name in ("here", "there"))

    def small(*possibly):
        evidence = Evidence(outputs=("values", "y"), possibly=lambda: possibly)
        return Finding("is 1").weighed(lambda: evidence)

    large = finding(describe=[here], outputs=["values", "y"])
    assert [[m.says for m in mistakes] for mistakes in named(large, small(there))] == [
        ["twice in here"],
        ["twice in there"],
    ]
    assert named(large, small()) == [(), ()]
    assert named(small(there)) == [()]


def test_a_relation_of_single_numbers_needs_two_findings():
    factor = Mistake("relation/number times 2", "twice")
    one = finding(describe=[factor], outputs=["values", "y"])
    assert named(one) == [()]
    assert named(one, one) == [(factor,), (factor,)]


def test_known_mistakes_come_before_relations():
    double = Mistake("relation/factor 2", "twice")
    assert named(finding(SCALE, describe=[double])) == [SCALE]
