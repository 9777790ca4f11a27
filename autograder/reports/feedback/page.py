"""What a page of feedback says: every exercise with its points, findings, diagnosis, hint and comment."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from autograder.course.hints import Guide
from autograder.exam_types.verdict import CriterionResult, Verdict
from autograder.examiner.graded import Graded
from autograder.gradebook.reader import CellGrade, Grades
from autograder.reports.student_answers import Answer

PATH = re.compile(r"(?<![\w./\\])(?:~|[A-Za-z]:)?(?:[/\\][\w.@+ -]*[\w@+-])+[/\\]([\w.@+-]+)")
EXPECTED = re.compile(r"(?P<yours>.+?), expected (?P<wanted>.+?)(?:: (?P<message>[^:?]+\?))?")
NUMBERS = re.compile(r"\d+")
AS_ABOVE = "as above"
LOOK_FIRST = 3


@dataclass(frozen=True)
class CriterionRow:
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


class State(StrEnum):
    """What became of an exercise, as its section says it."""

    EXAMINED = "examined"
    STOPPED = "stopped"  # an error kept every criterion from being examined
    NOT_TRIED = "not tried"  # as it was released
    BEGUN = "begun"  # edited, but with no answer in it yet
    READ = "read by a person"
    WAITS = "waits for a person"
    NOT_GRADED = "not graded"  # the examiner issued no verdict


@dataclass(frozen=True)
class Section:
    """An exercise; `message` says in a line what was found first."""

    exercise: str
    title: str
    state: State
    score: float
    points: float
    message: str = ""
    rows: Sequence[CriterionRow] = ()
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
        return 0.0 if self.state == State.WAITS else self.points - self.score


def sections(
    graded: Graded,
    grades: Grades,
    answers: Mapping[str, Answer],
    guides: Mapping[str, Guide],
    released: Mapping[str, Answer],
) -> list[Section]:
    """Every graded exercise in the order of the notebook; an answer that is still as it was released is none."""
    verdicts, entered = graded.by_exercise, grades.by_exercise
    order = {name: place for place, name in enumerate(guides)}
    made = []
    for name in sorted({*verdicts, *entered}, key=lambda name: (order.get(name, len(order)), name)):
        verdict, answer, before = verdicts.get(name), answers.get(name), released.get(name)
        if answer and answer.source.strip() == (before.source.strip() if before else ""):
            answer = None
        grade = entered.get(name)
        if grade is None and verdict is not None:
            grade = CellGrade(verdict.points, verdict.score)
        if grade is not None:
            state = _state(verdict, name in verdicts, grade, answer)
            made.append(_section(name, verdict, state, grade, answer, guides.get(name), grades.comments.get(name)))
    return made


def _section(
    name: str,
    verdict: Verdict | None,
    state: State,
    grade: CellGrade,
    answer: Answer | None,
    guide: Guide | None,
    comment: str | None,
) -> Section:
    diagnosis = named_diagnosis(verdict) if verdict else None
    return Section(
        exercise=name,
        title=guide.title if guide else "",
        state=state,
        score=grade.score,
        points=grade.points,
        message=_first_line(diagnosis or (verdict and verdict.diagnosis) or ""),
        rows=_findings(verdict.criteria) if verdict and verdict.tried else (),
        diagnosis=diagnosis and without_paths(diagnosis),
        hint=guide.pointer(diagnosis) if guide and verdict and grade.score < grade.points else None,
        comment=comment,
        changed=verdict is not None and grade.by_person and abs(grade.score - verdict.score) > 1e-9,
        answer=answer,
    )


def _state(verdict: Verdict | None, examined: bool, grade: CellGrade, answer: Answer | None) -> State:
    if verdict:
        if verdict.tried:
            return State.STOPPED if _all_for_one_reason(verdict) else State.EXAMINED
        return State.BEGUN if answer else State.NOT_TRIED
    if grade.waits and not grade.by_person:
        return State.NOT_GRADED if examined else State.WAITS
    return State.READ if grade.by_person or answer else State.NOT_TRIED


def named_diagnosis(verdict: Verdict) -> str | None:
    """The diagnosis of a known misconception, and not the finding that stands in for one."""
    return verdict.diagnosis if any(c.diagnosis for c in verdict.criteria if not c.passed) else None


def _all_for_one_reason(verdict: Verdict) -> bool:
    """Whether every criterion failed with the same words, as when the cell itself has an error."""
    reasons = {one.message for one in verdict.criteria}
    alone = len(verdict.criteria) == 1 and not verdict.criteria[0].message.startswith("the cell ")
    return not verdict.score and len(reasons) == 1 and not alone and not named_diagnosis(verdict)


def _findings(criteria: Sequence[CriterionResult]) -> list[CriterionRow]:
    findings: list[CriterionRow] = []
    before = ""
    for one in criteria:
        message = "" if one.passed else without_paths(one.message)
        both = EXPECTED.fullmatch(message)
        pair = both.groupdict(default="") if both else {"message": message}
        if message and (message == before or (not both and _numberless(message) == _numberless(before))):
            pair = {"message": AS_ABOVE}
        findings.append(CriterionRow(one.name, one.score, one.points, **pair))
        before = message or before
    return findings


def _numberless(message: str) -> str:
    """An error is the same on inputs of other sizes."""
    return NUMBERS.sub("0", message) if " raised " in message else message


def _first_line(text: str) -> str:
    return without_paths(text).partition("\n")[0]


def look_first(made: Sequence[Section]) -> list[Section]:
    """Where most points can be won back, among what was tried."""
    tried = [section for section in made if section.state in (State.EXAMINED, State.STOPPED) and section.lost > 0]
    return sorted(tried, key=lambda section: -section.lost)[:LOOK_FIRST]


def still_open(made: Sequence[Section]) -> list[Section]:
    """What has no answer yet."""
    return [section for section in made if section.state in (State.NOT_TRIED, State.BEGUN)]


def without_paths(text: str) -> str:
    """A file by its name alone: where it lay when it was graded is nobody's business."""
    return PATH.sub(r"\1", text)
