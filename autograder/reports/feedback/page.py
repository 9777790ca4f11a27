"""What a page of feedback says: every exercise with its points, findings, diagnosis, hint and comment."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from autograder.course.hints import Guide
from autograder.exam_types.verdict import CriterionResult, Verdict
from autograder.examiner.graded import Graded
from autograder.gradebook.reader import CellGrade, Grades
from autograder.reports.student_answers import Answer
from course_lib.cards.observed import Kind, Observed
from course_lib.checks.result_text import diagnosis_text

PATH = re.compile(r"(?<![\w./\\])(?:~|[A-Za-z]:)?(?:[/\\][\w.@+ -]*[\w@+-])+[/\\]([\w.@+-]+)")
WITHOUT_DIGITS = str.maketrans("", "", "0123456789")
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
    """An exercise; `message` says in a line what was found first, `followed` whose mistakes it was not charged for."""

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
    followed: str = ""
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
        hint=_pointer(guide, verdict) if guide and verdict and grade.score < grade.points else None,
        comment=comment,
        followed=verdict.followed if verdict else "",
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


def _findings(criteria: Sequence[CriterionResult]) -> list[CriterionRow]:
    rows: list[CriterionRow] = []
    before = None
    for criterion in criteria:
        observed = None if criterion.passed else criterion.observed
        texts = _texts(observed) if observed else {}
        if observed and before and _same(observed, before):
            texts = {"message": AS_ABOVE}
        rows.append(CriterionRow(criterion.name, criterion.score, criterion.points, **texts))
        before = observed or before
    return rows


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
    tried = [section for section in made if section.state in (State.EXAMINED, State.STOPPED) and section.lost > 0]
    return sorted(tried, key=lambda section: -section.lost)[:LOOK_FIRST]


def still_open(made: Sequence[Section]) -> list[Section]:
    """What has no answer yet."""
    return [section for section in made if section.state in (State.NOT_TRIED, State.BEGUN)]


def without_paths(text: str) -> str:
    """A file by its name alone: where it lay when it was graded is nobody's business."""
    return PATH.sub(r"\1", text)
