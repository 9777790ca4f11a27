"""Why an answer fails, once all that is asked of it has been examined."""

from collections.abc import Sequence

from course_lib.cards.observed import Mistake
from course_lib.checks.evidence import Mistakes
from course_lib.checks.finding import Finding

ON_NUMBERS = "relation/number"  # ids of relations between single numbers, of which one may hold by chance
FEWEST_NUMBERS = 2


def diagnoses(findings: Sequence[Finding]) -> list[Mistakes]:
    """The mistakes behind each finding; none where nothing is certain.

    A known mistake must be contradicted by no finding. Of several, the one behind most findings is named, and one slip
    rather than two; where two are alike in all of that, neither is. What no known mistake explains is described by a
    relation that holds in all findings on the same outputs.
    """
    excluded = {mistakes for finding in findings for mistakes in finding.evidence.excluded}
    fitting = [[m for m in finding.evidence.fitting if m not in excluded] for finding in findings]
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
    described = [*finding.evidence.describe()]
    alike = [other for other in unknown if other.evidence.outputs == finding.evidence.outputs]
    if finding.evidence.outputs:
        for other in alike:
            held = {*other.evidence.describe()}
            described = [mistake for mistake in described if mistake in held]
    certain = [m for m in described if len(alike) >= FEWEST_NUMBERS or not m.id.startswith(ON_NUMBERS)]
    return tuple[Mistake, ...](certain[:1])
