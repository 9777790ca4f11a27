"""Why an answer fails, once all that is asked of it has been examined."""

from collections.abc import Callable, Sequence

from course_lib.checks.crashes import explain_crash
from course_lib.checks.evidence import Mistakes
from course_lib.checks.finding import Finding, Kind
from course_lib.checks.relations import common_relations, relations
from course_lib.checks.relations.parameters import of_parameters
from course_lib.checks.relations.which_outputs import right_outputs


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
    if finding.evidence.observation and finding.evidence.observation.is_yes_or_no():
        # a yes in place of a no has many causes, and what is wrong elsewhere may be one of them
        possible = [known for known in possible if all(_explained(other, known) for other in findings)]

    def weight(mistakes: Mistakes) -> tuple[int, int]:
        return sum(other.evidence.fits(mistakes) for other in findings), -len(mistakes)

    best = max(map(weight, possible), default=None)
    likely = [mistakes for mistakes in possible if weight(mistakes) == best]
    return likely[0] if len(likely) == 1 else ()


def _explained(finding: Finding, mistakes: Mistakes) -> bool:
    """Whether these mistakes give what was found, or others that are known, from more than a yes or no."""
    evidence = finding.evidence
    told = evidence.observation is not None and not evidence.observation.is_yes_or_no()
    return evidence.fits(mistakes) or bool(finding.mistakes) or (told and bool(evidence.fitting))


def _described(finding: Finding, unknown: Sequence[Finding]) -> Mistakes:
    """What an exception means; or the first relation that holds in all findings on the same outputs.

    Where shapes differ, one that holds in this finding alone will do. Where none holds, the answer is called again.
    """
    observed = finding.observed
    if observed.kind is Kind.RAISED:
        crash = explain_crash(observed.error, observed.detail, observed.line, finding.evidence.arguments)
        return (crash,) if crash else ()
    if observed.kind is Kind.NOT_READABLE:
        return of_parameters(observed)
    mine, arguments = finding.evidence.observation, finding.evidence.arguments
    if mine is None:
        return ()
    all_evidence = [other.evidence for other in unknown]
    alike = [(each.observation, each.arguments) for each in all_evidence if each.observation]
    alike = [(one, given) for one, given in alike if one.is_like(mine)]
    shown = next(place for place, (one, _) in enumerate(alike) if one is mine)
    common = common_relations([(one.got, one.expected, given, one.parts) for one, given in alike], shown)
    if not common and mine.differs_in_shape():
        common = relations(mine.got, mine.expected, arguments, mine.parts)
    return common[:1] or mine.respond() or tuple(right_outputs(mine.got, mine.expected))
