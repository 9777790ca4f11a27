"""Classes whose results are made up, so that pages about them can be tested without grading anything."""

import re
import shutil
from collections.abc import Mapping
from functools import cache
from html.parser import HTMLParser

from nbgrader.api import TaskCell

from autograder.classroom.directory import ClassDirectory
from autograder.course.cells import exercise_of
from autograder.course.notebooks import student_notebook
from autograder.course.units import Unit
from autograder.demo.stories import fill_in, right_answers
from autograder.exam_types.verdict import CriterionResult, Verdict
from autograder.examiner.assignment import limits_of
from autograder.examiner.graded import Graded
from autograder.exams import UNITS
from autograder.gradebook.record import GradeRecord, Made, Parts
from autograder.gradebook.record_files import open_record, write_record
from autograder.gradebook.results import Result, Status
from builders.submissions import put_submission

DANGEROUS = ("script", "img", "iframe", "object", "embed", "link", "base", "form", "input", "use", "video", "audio")
Lost = Mapping[str, CriterionResult | str | None]


def made_verdicts(unit: Unit, lost: Lost) -> dict[str, Verdict | None]:
    """Full points but for what is lost: a criterion, the diagnosis of the first one, or None for no verdict at all."""
    verdicts: dict[str, Verdict | None] = {}
    for exam in UNITS[unit.id]:
        criteria = [CriterionResult(c.name, c.points, c.points) for c in exam.criteria]
        change = lost.get(exam.exercise, "")
        if isinstance(change, CriterionResult):
            criteria[0] = change
        elif change == "not tried":
            criteria = [
                CriterionResult(c.name, c.points, 0.0, "it is still the stub", None, False) for c in exam.criteria
            ]
        elif change:
            criteria[0] = CriterionResult(criteria[0].name, criteria[0].points, 0.0, "it is not right", change)
        verdict = Verdict(exam.exercise, exam.points, tuple(criteria))
        verdicts[f"test_{exam.exercise}"] = None if change is None else verdict
    return verdicts


def give_result(
    directory: ClassDirectory,
    unit: Unit,
    student: str,
    lost: Lost | None = None,
    *,
    repairs: tuple[str, ...] = (),
    problems: tuple[str, ...] = (),
    sandbox: str = "bwrap",
    bubblewrap: str = "",
    seconds: float = 1.0,
) -> None:
    """A result file as grading writes it, and nothing else."""
    verdicts = made_verdicts(unit, lost or {})
    graded = Graded("", verdicts, {}, list(repairs), list(problems), seconds, "0", bubblewrap=bubblewrap)
    parts = Parts(*["a digest"] * 5, sandbox=sandbox)
    made = Made(parts, limits_of(unit), "0", "2027-01-01T12:00:00+00:00", bubblewrap)
    score = sum(verdict.score for verdict in verdicts.values() if verdict)
    result = Result(student, unit.full_name, Status.GRADED, unit.points, score, seconds)
    write_record(directory, unit, student, None, GradeRecord("a key", graded, made, result))


_released, _right = cache(student_notebook), cache(right_answers)


def give_notebook(
    directory: ClassDirectory, unit: Unit, student: str, answers: Mapping[str, str] | None = None
) -> None:
    """A graded notebook with these answers, and for the rest the course's own; it is not run."""
    notebook = fill_in(_released(unit), _right(unit) | dict(answers or {}))
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and cell.metadata.get("nbgrader", {}).get("solution"):
            cell.source = (answers or {}).get(cell.metadata.nbgrader.grade_id, cell.source)
    submitted, graded = put_submission(directory, unit, student, notebook), directory.autograded(student, unit)
    graded.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(submitted, graded)


def enter_grades(
    directory: ClassDirectory,
    unit: Unit,
    student: str,
    by_hand: Mapping[str, float] | None = None,
    comments: Mapping[str, str] | None = None,
    name: tuple[str, str] | None = None,
) -> None:
    """The grades of a submission in the gradebook: those of its result file, and those that a person gave."""
    by_hand, comments = by_hand or {}, comments or {}
    verdicts = open_record(directory, unit, student).graded.verdicts
    with directory.gradebook() as gradebook:
        names = {"first_name": name[0], "last_name": name[1]} if name else {}
        gradebook.update_or_create_student(student, **names)
        gradebook.update_or_create_submission(unit.full_name, student)
        notebook = gradebook.find_submission_notebook(unit.notebook.stem, unit.full_name, student)
        for grade in notebook.grades:
            if isinstance(grade.cell, TaskCell):
                continue
            verdict = verdicts.get(grade.cell.name)
            exercise = exercise_of(grade.cell.name)
            grade.auto_score = verdict.score if verdict else None
            grade.manual_score = by_hand.get(exercise)
            grade.needs_manual_grade = verdict is None and exercise not in by_hand
        for comment in notebook.comments:
            comment.manual_comment = comments.get(comment.cell.name)
        gradebook.db.commit()


class Page(HTMLParser):
    """A page as a browser reads it: its tags with their attributes, and its text."""

    def __init__(self, html: str):
        super().__init__()
        self.html, self.tags, self.text = html, [], ""
        self._style = False
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        self._style = tag == "style"

    def handle_data(self, data):
        self.text += "" if self._style else data

    def require_inert(self) -> None:
        """Nothing in it runs, loads or leads elsewhere."""
        for tag, attributes in self.tags:
            assert tag not in DANGEROUS, tag
            for name, value in attributes.items():
                assert not name.startswith("on"), (tag, name)
                assert name not in ("src", "style", "srcdoc", "action", "xlink:href"), (tag, name)
                assert name != "href" or re.fullmatch(r"#[\w-]+", value), value
        metas = [attributes for tag, attributes in self.tags if tag == "meta"]
        policy = next(meta["content"] for meta in metas if meta.get("http-equiv") == "Content-Security-Policy")
        assert policy.startswith("default-src 'none'; style-src 'sha256-")
        assert "unsafe" not in policy
