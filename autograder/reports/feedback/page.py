"""What a page of feedback says: every exercise with its points, findings, diagnosis, hint and comment."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from autograder.course.hints import Guide
from autograder.exam_types.verdict import CriterionResult, Verdict
from autograder.gradebook.cell_grades import CellGrade, Grades
from autograder.gradebook.record import Examined
from autograder.reports.student_answers import Answer, Written
from course_lib.checks.finding import Kind, Observed
from course_lib.checks.result_text import diagnosis_text

PATH = re.compile(r"(?<![\w./\\])(?:~|[A-Za-z]:)?(?:[/\\][\w.@+ -]*[\w@+-])+[/\\]([\w.@+-]+)")
WITHOUT_DIGITS = str.maketrans("", "", "0123456789")
AS_ABOVE = "as above"
LOOK_FIRST = 3


@dataclass(frozen=True)
class Finding:
    """A criterion as the page shows it."""

    name: str
    score: float
    points: float
    message: str = ""
    yours: str = ""
    wanted: str = ""

    @property
    def share(self) -> float:
        return self.score / self.points if self.points else 1.0


@dataclass(frozen=True)
class Section:
    """An exercise; `state` says what became of it, `message` in a line what was found first.

    The states: "examined"; "stopped", so that nothing in it could be examined; "not tried", as it was given out;
    "begun", edited, but with no answer in it yet; "read by a person"; "waits for a person"; "not graded", though it
    should be.
    """

    exercise: str
    title: str
    state: str
    score: float
    points: float
    message: str = ""
    findings: Sequence[Finding] = ()
    diagnosis: str | None = None
    hint: str | None = None
    comment: str | None = None
    changed: bool = False
    answer: Answer | None = None

    @property
    def share(self) -> float:
        return self.score / self.points if self.points else 1.0

    @property
    def lost(self) -> float:
        return 0.0 if self.state == "waits for a person" else self.points - self.score


def sections(
    examined: Examined, grades: Grades, written: Written, guides: Mapping[str, Guide], untouched: Mapping[str, str]
) -> list[Section]:
    """Every graded exercise in the order of the notebook; `untouched` is what each answer was when it was released."""
    order = {name: place for place, name in enumerate(guides)}
    names = sorted({*examined.verdicts, *grades.cells}, key=lambda name: (order.get(name, len(order)), name))
    made = []
    for name in names:
        verdict, answer = examined.verdicts.get(name), written.answers.get(name)
        if answer and answer.source.strip() == untouched.get(name, "").strip():
            answer = None
        grade = grades.cells.get(name)
        if grade is None and verdict is not None:
            grade = CellGrade(verdict.points, verdict.score, False, False)
        if grade is not None:
            made.append(_section(name, verdict, name in examined.verdicts, grade, answer, guides.get(name), grades))
    return made


def _section(
    name: str,
    verdict: Verdict | None,
    examined: bool,
    grade: CellGrade,
    answer: Answer | None,
    guide: Guide | None,
    grades: Grades,
) -> Section:
    diagnosis = named_diagnosis(verdict) if verdict else None
    state = _state(verdict, examined, grade, answer)
    return Section(
        exercise=name,
        title=guide.title if guide else "",
        state=state,
        score=grade.score,
        points=grade.points,
        message=_first_line(diagnosis or (verdict and verdict.diagnosis) or ""),
        findings=_findings(verdict.criteria) if verdict and verdict.tried else (),
        diagnosis=diagnosis and without_paths(diagnosis),
        hint=_pointer(guide, verdict) if guide and verdict and grade.score < grade.points else None,
        comment=grades.comments.get(name),
        changed=bool(verdict) and grade.by_person and abs(grade.score - verdict.score) > 1e-9,
        answer=answer,
    )


def _state(verdict: Verdict | None, examined: bool, grade: CellGrade, answer: Answer | None) -> str:
    if verdict:
        if verdict.tried:
            return "stopped" if _all_for_one_reason(verdict) else "examined"
        return "begun" if answer else "not tried"
    if grade.waits and not grade.by_person:
        return "not graded" if examined else "waits for a person"
    return "read by a person" if grade.by_person or answer else "not tried"


def named_diagnosis(verdict: Verdict) -> str | None:
    """What the known mistakes behind a verdict say; None where it is explained by none."""
    return diagnosis_text(verdict.mistakes) if verdict.mistakes else None


def _pointer(guide: Guide, verdict: Verdict) -> str | None:
    """Which hint to open: the one that a known mistake names, or else the first."""
    named = [guide.number_of(mistake.hint) for mistake in verdict.mistakes if mistake.hint]
    number = next(filter(None, named), None) or min(guide.hints, default=None)
    return f"hint {number} (“{guide.hints[number]}”)" if number else None


def _all_for_one_reason(verdict: Verdict) -> bool:
    """Whether every criterion failed for the same reason, as when the cell itself has an error."""
    reasons = {criterion.observed for criterion in verdict.criteria}
    first = verdict.criteria[0].observed
    stopped = first is not None and first.kind is Kind.STOPPED
    return not verdict.score and len(reasons) == 1 and (len(verdict.criteria) > 1 or stopped) and not verdict.mistakes


def _findings(criteria: Sequence[CriterionResult]) -> list[Finding]:
    findings, before = [], None
    for criterion in criteria:
        observed = None if criterion.passed else criterion.observed
        texts = _texts(observed) if observed else {}
        if observed and before and _same(observed, before):
            texts = {"message": AS_ABOVE}
        findings.append(Finding(criterion.name, criterion.score, criterion.points, **texts))
        before = observed or before
    return findings


def _texts(observed: Observed) -> dict[str, str]:
    """What came and what was expected beside each other, where both are known."""
    if not observed.expected:
        return {"message": without_paths(str(observed))}
    yours = f"{observed.where} {observed.got}".strip()
    texts = {"yours": yours, "wanted": observed.expected, "message": observed.detail}
    return {name: without_paths(text) for name, text in texts.items()}


def _same(one: Observed, other: Observed) -> bool:
    """Whether it would be read twice; an error is the same on inputs of other sizes."""
    if Kind.RAISED is one.kind is other.kind:
        one, other = (replace(each, detail=each.detail.translate(WITHOUT_DIGITS)) for each in (one, other))
    return one == other


def _first_line(text: str) -> str:
    return without_paths(text).partition("\n")[0]


def look_first(made: Sequence[Section]) -> list[Section]:
    """Where most points can be won back, among what was tried."""
    tried = [section for section in made if section.state in ("examined", "stopped") and section.lost > 0]
    return sorted(tried, key=lambda section: -section.lost)[:LOOK_FIRST]


def still_open(made: Sequence[Section]) -> list[Section]:
    """What has no answer yet."""
    return [section for section in made if section.state in ("not tried", "begun")]


def without_paths(text: str) -> str:
    """A file by its name alone: where it lay when it was graded is nobody's business."""
    return PATH.sub(r"\1", text)
