"""What a page of feedback says: every exercise with its points, findings, diagnosis, hint and comment."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from autograder.grades import CellGrade, Grades
from autograder.guide import Guide
from autograder.records import Record
from autograder.verdict import CriterionResult, Verdict
from autograder.written import Answer, Written

PATH = re.compile(r"(?<![\w./\\])(?:~|[A-Za-z]:)?(?:[/\\][\w.@+ -]*[\w@+-])+[/\\]([\w.@+-]+)")
EXPECTED = re.compile(r"(?P<yours>.+?), expected (?P<wanted>.+?)(?:: (?P<message>[^:?]+\?))?")
LOOK_FIRST = 3


@dataclass(frozen=True)
class Finding:
    """A criterion as the page shows it; `message` is empty where the one before says the same."""

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
    """An exercise; `state` is "examined", "not tried", "read by a person", "waits for a person" or "not graded"."""

    exercise: str
    title: str
    state: str
    score: float
    points: float
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
    record: Record, grades: Grades, written: Written, guides: Mapping[str, Guide], untouched: Mapping[str, str]
) -> list[Section]:
    """Every graded exercise in the order of the notebook; `untouched` is what each answer was when it was released."""
    order = {name: place for place, name in enumerate(guides)}
    names = sorted({*record.verdicts, *grades.cells}, key=lambda name: (order.get(name, len(order)), name))
    made = []
    for name in names:
        verdict, answer = record.verdicts.get(name), written.answers.get(name)
        if answer and answer.source.strip() == untouched.get(name, "").strip():
            answer = None
        grade = grades.cells.get(name)
        if grade is None and verdict is not None:
            grade = CellGrade(verdict.points, verdict.score, False, False)
        if grade is not None:
            made.append(_section(name, verdict, name in record.verdicts, grade, answer, guides.get(name), grades))
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
    return Section(
        exercise=name,
        title=guide.title if guide else "",
        state=_state(verdict, examined, grade, answer),
        score=grade.score,
        points=grade.points,
        findings=_findings(verdict.criteria) if verdict and verdict.tried else (),
        diagnosis=diagnosis and without_paths(diagnosis),
        hint=guide.pointer(diagnosis) if guide and verdict and grade.score < grade.points else None,
        comment=grades.comments.get(name),
        changed=bool(verdict) and grade.by_person and abs(grade.score - verdict.score) > 1e-9,
        answer=answer,
    )


def _state(verdict: Verdict | None, examined: bool, grade: CellGrade, answer: Answer | None) -> str:
    if verdict:
        return "examined" if verdict.tried else "not tried"
    if grade.waits and not grade.by_person:
        return "not graded" if examined else "waits for a person"
    return "read by a person" if grade.by_person or answer else "not tried"


def named_diagnosis(verdict: Verdict) -> str | None:
    """The diagnosis of a known misconception, and not the finding that stands in for one."""
    return verdict.diagnosis if any(c.diagnosis for c in verdict.criteria if not c.passed) else None


def _findings(criteria: Sequence[CriterionResult]) -> list[Finding]:
    findings, before = [], ""
    for one in criteria:
        message = "" if one.passed else without_paths(one.message)
        shown = "" if message == before else message
        both = EXPECTED.fullmatch(shown)
        pair = both.groupdict(default="") if both else {"message": shown}
        findings.append(Finding(one.name, one.score, one.points, **pair))
        before = message or before
    return findings


def look_first(made: Sequence[Section]) -> list[Section]:
    """Where most points can be won back, among what was tried."""
    tried = [section for section in made if section.state == "examined" and section.lost > 0]
    return sorted(tried, key=lambda section: -section.lost)[:LOOK_FIRST]


def without_paths(text: str) -> str:
    """A file by its name alone: where it lay when it was graded is nobody's business."""
    return PATH.sub(r"\1", text)
