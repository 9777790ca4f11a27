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
    named = [finding.mistakes for finding in findings]
    for place, finding in enumerate(findings):
        if not named[place]:
            cause = _cause(finding, findings, would_pass)
            fitted = (cause if cause and other.evidence.fits(cause) else () for other in findings)
            named = [mistakes or other for mistakes, other in zip(named, fitted, strict=True)]
    unknown = [finding for finding, mistakes in zip(findings, named, strict=True) if not mistakes]
    return [mistakes or _described(finding, unknown) for finding, mistakes in zip(findings, named, strict=True)]


def _cause(finding: Finding, findings: Sequence[Finding], would_pass: Callable[[Mistakes], bool]) -> Mistakes:
    possible = [
        mistakes
        for mistakes in finding.evidence.fitting
        if not any(other.evidence.excludes(mistakes) for other in findings) and would_pass(mistakes)
    ]

    def weight(mistakes: Mistakes) -> tuple[int, int]:
        return sum(other.evidence.fits(mistakes) for other in findings), -len(mistakes)

    best = max(map(weight, possible), default=None)
    likely = [mistakes for mistakes in possible if weight(mistakes) == best]
    return likely[0] if len(likely) == 1 else ()


def _described(finding: Finding, unknown: Sequence[Finding]) -> Mistakes:
    """The first relation that holds between what came and what was expected, in all findings on the same outputs."""
    mine = finding.evidence.observation
    if mine is None:
        return ()
    observations = (other.evidence.observation for other in unknown)
    alike = [each for each in observations if each is not None and each.is_like(mine)]
    return common_relations([(each.got, each.expected, each.arguments) for each in alike])[:1]
