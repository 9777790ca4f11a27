"""Why an answer fails, once all that is asked of it has been examined."""

from collections.abc import Callable, Sequence
from itertools import islice

from course_lib.checks.evidence import Mistakes
from course_lib.checks.finding import Finding

ON_NUMBERS = "relation/number "  # ids of relations between single numbers, of which one may hold by chance
FEWEST_NUMBERS = 2


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
    """What holds in all findings on the same outputs, and in one of them not by chance; in the words of this one."""
    mine = finding.evidence
    alike = [other.evidence for other in unknown if mine.outputs and other.evidence.outputs == mine.outputs] or [mine]
    said = [mistake for evidence in alike for mistake in evidence.describe()]
    held = [{*evidence.describe(), *evidence.possibly()} for evidence in alike]
    words = {mistake: mistake for mistake in (*mine.possibly(), *mine.describe())}
    certain = (
        words[mistake]
        for mistake in dict.fromkeys(said)
        if all(mistake in each for each in held)
        and (said.count(mistake) >= FEWEST_NUMBERS or not mistake.id.startswith(ON_NUMBERS))
    )
    return tuple(islice(certain, 1))
