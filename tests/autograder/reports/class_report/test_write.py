"""The report on a class: right numbers, the right people, and a page for a class of any size."""

import numpy as np
import pytest
from builders.records import Page, enter_grades, give_notebook, give_result
from hypothesis import given
from hypothesis import strategies as st

from autograder.classroom.directory import init_class
from autograder.course.hints import Guide, read_guides
from autograder.course.submitted_notebook import read_notebook
from autograder.course.units import find_unit
from autograder.exam_types.verdict import CriterionResult
from autograder.exams import EXAMS
from autograder.reports.class_report.class_results import read_class_results
from autograder.reports.class_report.misconceptions import Misunderstood, Ranked, misunderstood
from autograder.reports.class_report.statistics import FEWEST, correlation, exercise_numbers, is_upside_down, spread
from autograder.reports.class_report.suspicious_code import reaches_for
from autograder.reports.class_report.write import write_report

UNIT = find_unit("01")
ATTENTION = "scaled_dot_product_attention"
NO_SCALE, WRONG_AXIS = (EXAMS[ATTENTION].misconceptions[place].sentence for place in (0, 2))


def report(directory, unit=None):
    page = Page(write_report(directory, unit).read_text("utf-8"))
    page.require_inert()
    page.text = " ".join(page.text.split())
    return page


def class_results(directory, everyone=()):
    with directory.gradebook() as gradebook:
        return read_class_results(directory, UNIT, gradebook, dict.fromkeys(everyone, ""))


def test_nothing_released_is_refused_with_a_sentence(tmp_path, course):
    directory = init_class(tmp_path / "class")
    code, printed = course("report", directory.root)
    assert code == 1
    assert "there is nothing to report on" in printed
    code, printed = course("report", directory.root, "01")
    assert code == 1
    assert "has not been released" in printed


def test_a_unit_nobody_handed_in(directory):
    with directory.gradebook() as gradebook:
        gradebook.update_or_create_student("ada", first_name="A", last_name="B")
    page = report(directory)
    assert "Nobody has handed in this unit yet." in page.text
    assert "Who has not handed in (1) A B (ada)" in page.text


def test_one_student(directory, course):
    give_result(directory, UNIT, "ada", {ATTENTION: NO_SCALE})
    code, printed = course("report", directory.root, "01")
    assert code == 0
    path = directory.root / "reports" / f"{UNIT.full_name}.html"
    assert str(path) in printed
    text = " ".join(Page(path.read_text("utf-8")).text.split())
    assert "1 of 1 handed in" in text
    assert "too few to say" in text
    assert "“One of you in exercise 3: your weights equal attention without the 1/√d_k scale." in text


def test_five_students_and_who_they_are(directory):
    stub = dict.fromkeys((exam for exam in EXAMS if exam in read_released(directory)), "not tried")
    give_result(directory, UNIT, "strong")
    give_result(directory, UNIT, "blank", stub)
    give_result(directory, UNIT, "stuck", stub | {"cross_attention_shapes": "Your keys have rows of the target."})
    give_result(directory, UNIT, "hung", problems=("grading gram_attention: its code ran longer than 3 s",))
    give_result(directory, UNIT, "mended", repairs=("the cell x was missing and has been put back",))
    for student in ("strong", "hung"):
        enter_grades(directory, UNIT, student)
    with directory.gradebook() as gradebook:
        gradebook.update_or_create_student("absent")
    page = report(directory)
    assert "5 of 6 handed in" in page.text
    assert "stuck, 11 %: cross_attention_shapes Your keys have rows of the target." in page.text
    assert "Handed in, but nothing tried (1) blank" in page.text
    assert "Who has not handed in (1) absent" in page.text
    assert "hung: grading gram_attention: its code ran longer than 3 s" in page.text
    assert "mended: the cell x was missing" in page.text
    assert "explain_attention_matrix: 2 answers hung strong" in page.text
    assert "graded in bubblewrap" in page.text


def test_it_says_what_the_submissions_ran_in(directory):
    for student, bubblewrap in (("ada", ""), ("bob", "0.8.0 of the system"), ("eve", "0.8.0 of the system")):
        give_result(directory, UNIT, student, bubblewrap=bubblewrap)
    page = report(directory)
    assert "1 submission graded in bubblewrap ·" in page.text
    assert "2 submissions graded in bubblewrap 0.8.0 of the system" in page.text
    assert "without a sandbox" not in page.text
    give_result(directory, UNIT, "ada", sandbox="none")
    assert "Some submissions were graded without a sandbox." in report(directory).text


def read_released(directory):
    return read_guides(read_notebook(directory.released(UNIT).read_bytes()))


def test_a_thousand_students(directory):
    """Every page of a large class names each mistake once, and folds long lists."""
    for number in range(1000):
        lost = {ATTENTION: NO_SCALE} if number % 4 == 0 else {ATTENTION: WRONG_AXIS} if number % 10 == 1 else {}
        give_result(directory, UNIT, f"student-{number:04}", lost, seconds=0.5)
    page = report(directory)
    assert "1000 of 1000 handed in" in page.text
    assert "250 of 1000 · 25 %" in page.text
    assert page.text.index("250 of you in exercise 3") < page.text.index("100 of you in exercise 3")
    assert "500.0 s in all" in page.text
    assert len(page.html) < 300_000


def test_same_names_and_odd_ids(directory):
    odd = ["two words", "o'brien", 'quo"ted', "學生", "🙂", "<b>bold</b>", "a&amp;b"]
    for student in odd:
        give_result(directory, UNIT, student.replace("/", "_"), {ATTENTION: NO_SCALE})
        enter_grades(directory, UNIT, student.replace("/", "_"), name=("Same", "Name"))
    page = report(directory)
    for student in odd:
        assert f"Same Name ({student.replace('/', '_')})" in page.text


@pytest.mark.parametrize("damage", ["", "{", "[1]", "null", '{"graded": {}}', '{"graded": {"verdicts": []}}', "\x00"])
def test_damaged_results_are_named(directory, damage):
    give_result(directory, UNIT, "whole")
    path = directory.root / "results" / UNIT.full_name / "damaged.json"
    path.write_text(damage, "utf-8")
    page = report(directory)
    assert "Not graded (1)" in page.text
    assert "damaged: its result file" in page.text
    assert "2 of 1 handed in" not in page.text


def test_what_was_handed_in_but_not_graded_says_why(directory):
    for student, text in (("empty", ""), ("cut", '{"cells": ['), ("waiting", None)):
        give_notebook(directory, UNIT, student)
        if text is not None:
            directory.submission(student, UNIT).write_text(text)
    page = report(directory)
    assert "empty: the file is empty" in page.text
    assert "cut: the file is not a complete notebook" in page.text
    assert "waiting: it has not been graded yet" in page.text


def test_scores_of_a_person_count_at_once(directory):
    give_result(directory, UNIT, "ada")
    enter_grades(directory, UNIT, "ada")
    assert class_results(directory).students[0].waits == ("explain_attention_matrix",)
    assert class_results(directory).students[0].share == 1  # of the points that are graded so far
    enter_grades(directory, UNIT, "ada", {"explain_attention_matrix": 2})
    (result,) = class_results(directory).students
    assert result.waits == ()
    assert result.share == pytest.approx(38 / 40)


def test_a_class_graded_without_a_sandbox_is_told(directory):
    give_result(directory, UNIT, "ada", sandbox="none")
    assert "Some submissions were graded without a sandbox." in report(directory).text


def test_hidden_tests_stop_the_report(directory, course):
    give_result(directory, UNIT, "ada", problems=(directory.canary,))
    code, printed = course("report", directory.root)
    assert code == 1
    assert "the report would show hidden tests" in printed
    assert not (directory.root / "reports").exists()


def test_two_slips_are_counted_as_two():
    both = f"Two slips at once: {NO_SCALE} {WRONG_AXIS}"
    verdict = EXAMS[ATTENTION].grade(EXAMS[ATTENTION].reference)
    criteria = (CriterionResult("output and weights", 3, 0, "wrong", both), *verdict.criteria[1:])
    found = misunderstood(ATTENTION, type(verdict)(ATTENTION, verdict.points, criteria))
    assert {mistake.says for mistake in found} == {EXAMS[ATTENTION].misconceptions[place].says for place in (0, 2)}
    assert {mistake.hint for mistake in found} == {3, 2}


def test_wrong_choices_are_misconceptions():
    found = misunderstood("query_key_value_roles", EXAMS["query_key_value_roles"].grade("AB"))
    assert {mistake.says.split(":")[0] for mistake in found} == {
        "Statement B is false",
        "Statement C is true",
        "Statement E is true",
    }


def test_every_misconception_makes_a_sentence():
    guide = Guide("x", 4, {1: "begin", 2: "go on", 3: "nearly there"})
    for exam in EXAMS.values():
        for known in exam.misconceptions:
            said = Ranked(exam.exercise, guide, Misunderstood(known.says, known.hint), 7, 0.5).in_a_lecture
            assert said.startswith("Seven of you in exercise 4: ")
            assert said.endswith((".", "!", "?", ")"))


def test_only_code_that_reaches_further_is_named():
    assert reaches_for(["system = 3\nkill = [s for s in range(3)]\nx.softmax(-1)"]) == {}
    assert "input_transformers_cleanup" in reaches_for(["get_ipython().input_transformers_cleanup.append(f)"])
    assert reaches_for(["import os\nos._exit(0)", "from subprocess import run", "open('/proc/self/mem')"]).keys() == {
        "_exit",
        "subprocess",
        "/proc",
    }
    assert reaches_for(["def f(:", "(" * 500]) == {}


def test_an_attempt_is_named_in_the_report(directory):
    cheat = 'get_ipython().input_transformers_cleanup.append(lambda lines: ["pass"])'
    give_result(directory, UNIT, "cheat")
    give_notebook(directory, UNIT, "cheat", {"cross_attention_shapes": cheat})
    give_result(directory, UNIT, "honest")
    give_notebook(directory, UNIT, "honest")
    text = report(directory).text
    assert "Reaches for more than an answer (1)" in text
    assert "cheat: its code uses input_transformers_cleanup" in text
    assert "honest: its code" not in text


@given(st.lists(st.tuples(st.integers(0, 8), st.integers(0, 30)), min_size=FEWEST, max_size=40))
def test_correlation_is_that_of_numpy(pairs):
    one, other = zip(*pairs, strict=True)
    got = correlation(one, other)
    if len(set(one)) < 2 or len(set(other)) < 2:
        assert got is None
    else:
        assert got == pytest.approx(np.corrcoef(one, other)[0, 1], abs=1e-9)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=60))
def test_spread_is_that_of_numpy(shares):
    found = spread(shares)
    assert sum(found.counts) == len(shares)
    assert found.five == pytest.approx(np.percentile(shares, [0, 25, 50, 75, 100]), abs=1e-9)


def test_an_exercise_that_only_the_weak_solve_is_to_be_reviewed(directory):
    for number in range(12):
        weak = {"cross_attention": "wrong", "column_attention": "wrong", "attention_matrix": "wrong"}
        give_result(directory, UNIT, f"s{number}", weak if number % 2 else {ATTENTION: "wrong"})
    numbers = {one.exercise: one for one in exercise_numbers(class_results(directory))}
    assert numbers[ATTENTION].discrimination < 0
    assert "review this exercise" in numbers[ATTENTION].says
    assert numbers["cross_attention"].discrimination > 0
    assert numbers["gram_attention"].says == "all alike"
    assert numbers[ATTENTION].share == pytest.approx((6 * 1 + 6 * 5 / 8) / 12)


@pytest.mark.parametrize(
    ("discrimination", "count", "upside_down"),
    [
        (-0.02, 1000, False),  # clearly nothing
        (-0.1, 5000, False),
        (-0.3, 12, False),  # so few show this by chance in a sixth of all exercises
        (-0.7, 12, True),
        (-0.3, 60, True),
        (0.5, 60, False),
    ],
)
def test_upside_down_is_said_only_when_it_is_clear(discrimination, count, upside_down):
    assert is_upside_down(discrimination, count) is upside_down


def test_an_exercise_that_has_nothing_to_do_with_the_rest_says_little(directory):
    for number in range(40):
        lost = {ATTENTION: "wrong"} if number % 2 else {}
        give_result(directory, UNIT, f"s{number:02}", lost | ({"cross_attention": "wrong"} if number % 4 > 1 else {}))
    numbers = {one.exercise: one for one in exercise_numbers(class_results(directory))}
    assert numbers[ATTENTION].discrimination == pytest.approx(0, abs=0.05)
    assert numbers[ATTENTION].says == "says little"
    assert "negative discrimination" not in report(directory).text


def test_results_are_read_one_at_a_time(directory, monkeypatch):
    """No more than one notebook of the class is held while the report is made."""
    for number in range(6):
        give_result(directory, UNIT, f"s{number}")
        give_notebook(directory, UNIT, f"s{number}")
    from autograder.reports.class_report import unit as unit_report

    alive, most = [], []
    read = unit_report.read_graded_notebook

    def watched(path):
        written = read(path)
        import weakref

        alive.append(weakref.ref(written))
        most.append(sum(one() is not None for one in alive))
        return written

    monkeypatch.setattr(unit_report, "read_graded_notebook", watched)
    report(directory)
    assert len(most) >= 6
    assert max(most) <= 2  # the one just read, and the one before until it is let go


def test_json_of_a_real_result_is_read(graded_class):
    """What grading really writes, and not only what these tests make up."""
    with graded_class.directory.gradebook() as gradebook:
        found = read_class_results(graded_class.directory, graded_class.unit, gradebook, {})
    graded = {student for student, result in graded_class.results.items() if result["status"] != "failed"}
    assert {result.student for result in found.students} == graded
    assert set(found.unread) == graded_class.results.keys() - graded
    for result in found.students:
        assert sum(result.scores.values()) == pytest.approx(graded_class.results[result.student]["score"])
    assert any(exercise == ATTENTION and "without the 1/√d_k" in one.says for exercise, one in found.mistakes)
