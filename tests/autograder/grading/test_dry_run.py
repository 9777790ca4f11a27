"""Grading again: nothing moves unseen, every grade keeps what made it, and people's grades stay."""

import hashlib
import json
import shutil
from dataclasses import replace
from functools import partial

import pytest
from builders.quick_class import grade, hand_in, preview, quick_grading, threads

from autograder.classroom.directory import ClassDirectory, init_class
from autograder.classroom.release import release_unit
from autograder.course.units import find_unit
from autograder.examiner.assignment import Limits
from autograder.gradebook.record_files import all_grades, read_history, read_record, write_record
from autograder.grading import worker_pool

UNIT = find_unit("01")
MANUAL = "explain_attention_matrix"
STUDENTS = {"ada": (), "bob": ("gram_attention",), "eve": ("gram_attention", "cross_attention")}


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    directory = init_class(tmp_path_factory.mktemp("regrade") / "class")
    release_unit(directory, UNIT)
    for student, misses in STUDENTS.items():
        hand_in(directory, UNIT, student, misses=misses)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(worker_pool, "grade_here", quick_grading)
        grade(directory, UNIT)
    return directory


@pytest.fixture
def a_class(graded, tmp_path, monkeypatch):
    monkeypatch.setattr(worker_pool, "grade_here", quick_grading)
    shutil.copytree(graded.root, tmp_path / "class")
    return ClassDirectory(tmp_path / "class")


@pytest.fixture
def stricter_exam(monkeypatch):
    """An exam changes, so that nobody passes it any more."""
    monkeypatch.setattr(worker_pool, "grade_here", partial(quick_grading, strict=("gram_attention",)))
    monkeypatch.setattr("autograder.grading.provenance.exam_digest", lambda unit: "another exam")


def files(directory):
    return {
        path.relative_to(directory.root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(directory.root.rglob("*"))
        if path.is_file()
    }


def give_points(directory, student, points, name=MANUAL, comment=None):
    """As the formgrader does."""
    with directory.gradebook() as gradebook:
        one = gradebook.find_grade(name, UNIT.notebook.stem, UNIT.full_name, student)
        one.manual_score, one.needs_manual_grade = points, False
        if comment:
            said = gradebook.find_comment(name, UNIT.notebook.stem, UNIT.full_name, student)
            said.manual_comment = comment
        gradebook.db.commit()


def manual(directory, student, name=MANUAL):
    with directory.gradebook() as gradebook:
        one = gradebook.find_grade(name, UNIT.notebook.stem, UNIT.full_name, student)
        return one.manual_score, one.needs_manual_grade


def test_a_dry_run_shows_what_would_move_and_writes_nothing(a_class, stricter_exam):
    before, scores = files(a_class), {s: read_record(a_class, UNIT, s).result.score for s in STUDENTS}
    changes = preview(a_class, UNIT)
    assert files(a_class) == before
    after = {student: result.score for student, result in grade(a_class, UNIT).items()}
    assert {student: (c.before, c.after) for student, c in changes.items()} == {
        student: (scores[student], after[student]) for student in STUDENTS
    }
    assert scores != after
    assert changes["ada"].parts == ["exam"]
    (move,) = changes["ada"].moves
    assert (move.what, move.before, move.after) == ("gram_attention", 2, 0)
    assert "now: Look at gram_attention." in move.reasons
    assert any(reason.endswith("→ 0") for reason in move.reasons)


def test_a_dry_run_of_what_has_not_changed_moves_nothing(a_class):
    for force in (False, True):
        changes = preview(a_class, UNIT, force=force)
        assert set(changes) == set(STUDENTS)
        assert not any(change.moved or change.moves or change.parts for change in changes.values())


def test_without_force_a_dry_run_looks_only_at_what_grading_would_look_at(a_class, monkeypatch):
    monkeypatch.setattr(worker_pool, "grade_here", partial(quick_grading, strict=("gram_attention",)))
    assert not any(change.moved for change in preview(a_class, UNIT).values())
    assert all(change.moved for student, change in preview(a_class, UNIT, force=True).items() if student == "ada")


def test_a_dry_run_names_what_is_new_and_what_cannot_be_graded(a_class):
    hand_in(a_class, UNIT, "ada", misses=("not_additive",))
    hand_in(a_class, UNIT, "new")
    a_class.submission("bob", UNIT).write_text("")

    def rejecting(data, assignment, seed):
        if not data:
            raise worker_pool.Rejected("the file is empty")
        return quick_grading(data, assignment, seed)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(worker_pool, "grade_here", rejecting)
        changes = preview(a_class, UNIT)
    assert changes["ada"].parts == ["submission"]
    assert changes["new"].before is None
    assert changes["new"].after == 36
    assert changes["bob"].problem == "the file is empty"
    assert changes["bob"].before is not None
    assert not changes["bob"].moved
    with a_class.gradebook() as gradebook:
        assert {student.id for student in gradebook.students} == set(STUDENTS)


def test_the_command_tells_whose_score_would_move(a_class, stricter_exam, course, monkeypatch, tmp_path):
    monkeypatch.setattr("autograder.grading.worker_pool.local_workers", lambda *given: threads)
    lines = tmp_path / "changes.jsonl"
    arguments = ("grade", a_class.root, "01", "--dry-run", "--force", "--sandbox", "none", "--json", lines)
    code, printed = course(*arguments)
    assert code == 0, printed
    assert "3 of 3 scores would move" in " ".join(printed.split())
    assert "Nothing was written." in printed
    assert "changed since: exam" in printed
    told = [json.loads(line) for line in lines.read_text("utf-8").splitlines()]
    assert {change["student"] for change in told if change["before"] != change["after"]} == set(STUDENTS)


def test_every_grade_keeps_what_made_it(a_class):
    made = read_record(a_class, UNIT, "ada").made.to_json()
    submission = hashlib.sha256(a_class.submission("ada", UNIT).read_bytes()).hexdigest()
    assert made["submission"] == submission
    assert made["released"] == hashlib.sha256(a_class.released(UNIT).read_bytes()).hexdigest()
    assert {"source", "exam", "library", "time"} <= set(made)
    assert made["seed"] == a_class.seed("ada", UNIT)
    assert set(made["versions"]) == {"python", "torch", "numpy", "nbgrader"}
    assert (made["sandbox"], made["limits"]["cell"]) == ("none", 60.0)


def test_a_grade_made_with_another_bubblewrap_holds(a_class, monkeypatch):
    def with_another(data, assignment, seed):
        return replace(quick_grading(data, assignment, seed), bubblewrap="0.12.0 of the system")

    monkeypatch.setattr(worker_pool, "grade_here", with_another)
    grade(a_class, UNIT)
    assert not [student for student in STUDENTS if read_record(a_class, UNIT, student).made.bubblewrap]
    results = grade(a_class, UNIT, force=True)
    assert {result.bubblewrap for result in results.values()} == {"0.12.0 of the system"}
    assert read_record(a_class, UNIT, "ada").made.bubblewrap == "0.12.0 of the system"


def test_a_regrade_that_changes_a_grade_keeps_the_earlier_one(a_class, stricter_exam, course):
    assert read_history(a_class, UNIT, "ada") == []
    first = read_record(a_class, UNIT, "ada")
    grade(a_class, UNIT)
    assert read_history(a_class, UNIT, "ada") == [first]
    grade(a_class, UNIT)
    grade(a_class, UNIT, force=True)
    assert read_history(a_class, UNIT, "ada") == [first]
    hand_in(a_class, UNIT, "ada", misses=("not_additive",))
    grade(a_class, UNIT)
    assert [g.result.score for g in all_grades(a_class, UNIT, "ada")] == [36, 34, 32]
    code, printed = course("history", a_class.root, "01", "ada")
    assert code == 0, printed
    assert printed.count(" / 40") == 3
    for words in (
        "the first grade",
        "gram_attention 2 → 0",
        "changed since: exam",
        "changed since: submission",
        "torch",
    ):
        assert words in printed
    code, printed = course("history", a_class.root, "01", "nobody")
    assert code == 1
    assert "nobody has no grade in unit 01" in printed
    code, printed = course("history", a_class.root, "01", "../../secret")
    assert "cannot be a student id" in printed


def test_a_history_entry_is_made_once_though_a_run_is_killed_before_the_record(a_class, monkeypatch):
    first = read_record(a_class, UNIT, "ada")
    second = replace(first, key="another")
    written = []

    def killed(path, text):
        if path.suffix == ".json":
            raise KeyboardInterrupt
        written.append(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("autograder.gradebook.record_files.write_beside", killed)
        with pytest.raises(KeyboardInterrupt):
            write_record(a_class, UNIT, "ada", first, second)
    assert len(written) == 1
    assert read_record(a_class, UNIT, "ada") == first
    write_record(a_class, UNIT, "ada", first, second)
    assert read_history(a_class, UNIT, "ada") == [first]
    assert read_record(a_class, UNIT, "ada") == second


def test_more_time_grades_only_those_who_ran_out_of_it(a_class, monkeypatch):
    looked_at = []

    def timed(data, assignment, seed):
        looked_at.append(seed)
        return quick_grading(data, assignment, seed)

    monkeypatch.setattr(worker_pool, "grade_here", timed)
    hand_in(a_class, UNIT, "slow", seconds=90.0)
    grade(a_class, UNIT)
    for cell, expected in ((60.0, []), (30.0, []), (100.0, ["slow"]), (100.0, []), (200.0, [])):
        looked_at.clear()
        grade(a_class, UNIT, limits=Limits(cell=cell))
        assert looked_at == [a_class.seed(student, UNIT) for student in expected], cell


def test_a_persons_points_and_words_stay_while_the_answer_stays(a_class, stricter_exam):
    give_points(a_class, "ada", 3.0, comment="Say why.")
    result = grade(a_class, UNIT, force=True)["ada"]
    assert manual(a_class, "ada") == (3.0, False)
    assert next(e for e in result.exercises if e.id == MANUAL).status == "graded"
    assert result.score == 34 + 3
    with a_class.gradebook() as gradebook:
        said = gradebook.find_comment(MANUAL, UNIT.notebook.stem, UNIT.full_name, "ada")
        assert said.manual_comment == "Say why."


def test_an_answer_that_changed_waits_for_a_person_until_they_have_looked(a_class):
    give_points(a_class, "ada", 3.0)
    give_points(a_class, "bob", 2.0)
    hand_in(a_class, UNIT, "ada", words="Another sentence.")
    hand_in(a_class, UNIT, "bob", misses=())
    results = grade(a_class, UNIT)
    assert manual(a_class, "ada") == (3.0, True)
    assert next(e for e in results["ada"].exercises if e.id == MANUAL).status == "needs a person"
    assert manual(a_class, "bob") == (2.0, False)
    grade(a_class, UNIT, force=True)
    assert manual(a_class, "ada") == (3.0, True)
    give_points(a_class, "ada", 4.0)
    grade(a_class, UNIT, force=True)
    assert manual(a_class, "ada") == (4.0, False)


def test_nothing_waits_once_a_person_has_graded_every_answer(a_class):
    with a_class.gradebook() as gradebook:
        assert gradebook.find_submission(UNIT.full_name, "ada").needs_manual_grade
    give_points(a_class, "ada", 3.0)
    with a_class.gradebook() as gradebook:
        assert not gradebook.find_submission(UNIT.full_name, "ada").needs_manual_grade


def test_a_persons_points_for_code_wait_again_when_the_examiner_changes_its_mind(a_class, stricter_exam):
    give_points(a_class, "ada", 1.5, "test_gram_attention")
    give_points(a_class, "ada", 5.0, "test_cross_attention")
    result = grade(a_class, UNIT)["ada"]
    assert manual(a_class, "ada", "test_gram_attention") == (1.5, True)
    assert manual(a_class, "ada", "test_cross_attention") == (5.0, False)
    assert next(e for e in result.exercises if e.id == "gram_attention").score == 1.5


def test_a_persons_points_are_part_of_the_history(a_class):
    give_points(a_class, "ada", 3.5)
    grade(a_class, UNIT)
    assert [g.result.score for g in all_grades(a_class, UNIT, "ada")] == [36, 39.5]


def test_a_record_of_another_gradebook_does_not_count(a_class):
    with a_class.gradebook() as gradebook:
        gradebook.remove_submission(UNIT.full_name, "ada")
    assert preview(a_class, UNIT)["ada"].before is None
    assert grade(a_class, UNIT)["ada"].score == 36
    with a_class.gradebook() as gradebook:
        assert gradebook.find_submission(UNIT.full_name, "ada").score == 36


def test_folders_that_cannot_be_ids_are_named_and_cost_nobody_else(a_class):
    for folder in ("o'hara", "[x]", "cafe\u0301", "💥", "-rf"):
        (a_class.root / "submitted" / folder / UNIT.full_name).mkdir(parents=True)
    results = grade(a_class, UNIT)
    for folder in ("o'hara", "[x]", "💥", "-rf"):
        assert "cannot be a student id" in results[folder].problems[0]
    assert "rename it to café" in results["cafe\u0301"].problems[0]
    assert all(results[student].status == "graded" for student in STUDENTS)
