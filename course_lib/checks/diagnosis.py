"""Why an answer fails, once all that is asked of it has been examined."""

from collections.abc import Callable, Sequence

from course_lib.checks.evidence import Mistakes
from course_lib.checks.finding import Finding
from course_lib.checks.relations import common_relations


def diagnoses(findings: Sequence[Finding], would_pass: Callable[[Mistakes], bool]) -> list[Mistakes]:
    """The mistakes behind each finding; none where nothing is certain.

    A known mistake must be contradicted by no finding, and `would_pass` must say that it passes what the answer does.
    Of several, the one behind most findings is named, and one slip rather than two; where two are alike in all of
    that, neither is. What no known mistake explains is described by a relation that holds in all findings on the same
    outputs.
    """
    excluded = {mistakes for finding in findings for mistakes in finding.evidence.excluded}
    possible = {
        mistakes: mistakes not in excluded and would_pass(mistakes)
        for finding in findings
        for mistakes in finding.evidence.fitting
    }
    fitting = [[mistakes for mistakes in finding.evidence.fitting if possible[mistakes]] for finding in findings]
    named = [finding.mistakes or _most_likely(mine, fitting) for finding, mine in zip(findings, fitting, strict=True)]
    unknown = [finding for finding, mistakes in zip(findings, named, strict=True) if not mistakes]
    return [mistakes or _described(finding, unknown) for finding, mistakes in zip(findings, named, strict=True)]


def _most_likely(mine: Sequence[Mistakes], fitting: Sequence[Sequence[Mistakes]]) -> Mistakes:
    def weight(mistakes: Mistakes) -> tuple[int, int]:
        return sum(mistakes in each for each in fitting), -len(mistakes)

    best = max(map(weight, mine), default=None)
    likely = [mistakes for mistakes in mine if weight(mistakes) == best]
    return likely[0] if len(likely) == 1 else ()


def _described(finding: Finding, unknown: Sequence[Finding]) -> Mistakes:
    """The first relation that holds between what came and what was expected, in all findings on the same outputs."""
    mine = finding.evidence.observation
    if mine is None:
        return ()
    observations = (other.evidence.observation for other in unknown)
    alike = [each for each in observations if each is not None and each.is_like(mine)]
    return common_relations([(each.got, each.expected, each.arguments) for each in alike])[:1]
