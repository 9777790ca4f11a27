"""Fingerprints: a few numbers by which what came is known as what a certain mistake gives."""

from collections.abc import Sequence

from course_lib.cards.observed import Observed
from course_lib.checks.compare import fingerprint, same_fingerprint
from course_lib.checks.evidence import Evidence, Mistakes, Observation
from course_lib.checks.question import Outputs

Fingerprints = dict[str, list]
Known = Sequence[tuple[Mistakes, Fingerprints]]


def fingerprints_of_outputs(outputs: Outputs) -> Fingerprints:
    return {name: fingerprint(value) for name, value in outputs.items()}


def fingerprints_of_finding(observed: Observed) -> Fingerprints:
    """An answer that gives no outputs is known by what is found instead; the quoted line is its author's own."""
    return {"": [observed.kind, observed.where, observed.got, observed.expected, observed.detail]}


def same_fingerprints(one: Fingerprints, other: Fingerprints) -> bool:
    return one.keys() == other.keys() and all(same_fingerprint(one[name], other[name]) for name in one)


def weigh(known: Known, got: Fingerprints, right: Fingerprints, observation: Observation | None = None) -> Evidence:
    """Compare what came with what each known mistake gives; without an `observation` there were no outputs.

    A mistake that gives the right outputs here says nothing. One that gives neither these nor the right ones was not
    made, unless it is known in several forms of which another fits.
    """
    fitting = [mistakes for mistakes, prints in known if same_fingerprints(prints, got)]
    silent = {mistakes for mistakes, prints in known if same_fingerprints(prints, right)}
    # errors differ in more than their causes, so they exclude nothing
    told_apart = {mistakes for mistakes, prints in known if observation and prints.keys() == got.keys()}
    return Evidence(
        fitting=tuple(dict.fromkeys(mistakes for mistakes in fitting if mistakes not in silent)),
        excluded=frozenset(told_apart - set(fitting) - silent),
        observation=observation,
    )
