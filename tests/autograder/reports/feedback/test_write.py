"""A page of feedback: what it says, what it never shows, and that nothing in it can run."""

import base64
import hashlib
import json
import re

import nbformat
import pytest
from builders.records import Page, enter_grades, give_notebook, give_result
from nbformat.v4 import new_output

from autograder.course.units import find_unit
from autograder.errors import CourseError
from autograder.exam_types.verdict import MIME, CriterionResult, Verdict
from autograder.exams import EXAMS, UNITS
from autograder.gradebook.record_files import record_path
from autograder.reports.feedback.page import without_paths
from autograder.reports.feedback.write import write_feedback
from course_lib.cards.observed import Kind, Mistake, Observed

UNIT = find_unit("01")
ATTENTION = "scaled_dot_product_attention"
EXPLAINED = "explain_attention_matrix"
DIAGNOSIS = "Your weights equal attention without the 1/√d_k scale. See hint 3."
(NO_SCALE,) = EXAMS[ATTENTION].mistakes("divide-nothing")
HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</pre></details><svg onload=alert(1)><style>*{display:none}</style>",
    "<a href='javascript:alert(1)'>here</a>",
    "{{ 7 * 7 }}{% raw %}",
    "--><iframe srcdoc='<script>alert(1)</script>'>",
    "![x](http://127.0.0.1/x.png) <base href='//127.0.0.1/'>",
)


def page_of(directory, student):
    path = directory.root / "feedback" / student / UNIT.full_name / f"{UNIT.full_name}.html"
    return Page(path.read_text("utf-8"))


def raised_at(detail):
    return Observed("raised RuntimeError", detail=detail, where=ATTENTION, kind=Kind.RAISED)


def section(page, exercise):
    """The text of one exercise."""
    sections = re.findall(r'<section class="exercise">.*?</section>', page.html, re.DOTALL)
    (found,) = (text for text in sections if f"<code>{exercise}</code></div>" in text)
    return Page(found).text


def test_points_findings_diagnosis_and_hint(directory):
    sums = Observed("sums to 0.31", "1", "over the keys?", where="weights[0, 1]")
    wrong = CriterionResult("output and weights", 3, 0, sums, (NO_SCALE,))
    give_result(directory, UNIT, "ada", {ATTENTION: wrong, "cross_attention": "not tried"})
    wrote = "def scaled_dot_product_attention(q, k, v):\n    return q < k"
    stub = untouched(directory, "cross_attention")
    give_notebook(directory, UNIT, "ada", {ATTENTION: wrote, "cross_attention": stub})
    enter_grades(directory, UNIT, "ada")
    (path,) = write_feedback(directory, UNIT)
    page = page_of(directory, "ada")
    assert path == directory.root / "feedback" / "ada" / UNIT.full_name / f"{UNIT.full_name}.html"
    text = section(page, ATTENTION)
    assert "Exercise 3" in text
    assert "5 of 8" in text
    assert "✗0 of 3output and weights" in text
    assert "✓2 of 2masked keys get weight 0" in text
    assert "yoursweights[0, 1] sums to 0.31" in text
    assert "expected1\n" in text
    assert "over the keys?" in text
    assert DIAGNOSIS in text
    assert "open hint 3 (“nearly there”) under this exercise" in text
    assert "return q < k" in text
    untried = section(page, "cross_attention")
    assert "✗ 0 of 5" in untried
    assert "Not tried" in untried
    assert "hint 1 (“who makes what”)" in untried
    assert "28 of 40" in page.text
    page.require_inert()


def test_what_was_not_tried_and_what_was_only_begun(directory):
    """Nobody who has edited an answer reads that it is as it was given out."""
    give_result(directory, UNIT, "ada", {ATTENTION: "not tried", "cross_attention": "not tried"})
    stub = untouched(directory, "cross_attention")
    give_notebook(directory, UNIT, "ada", {ATTENTION: "def f(q): ...", "cross_attention": f"{stub}\n\n"})
    write_feedback(directory, UNIT)
    begun, stays = (section(page_of(directory, "ada"), name) for name in (ATTENTION, "cross_attention"))
    assert "You have begun, but there is no answer yet: it is still the stub. To go on, open hint 1" in begun
    assert "def f(q): ..." in begun
    assert "Not tried: the answer is still what the notebook came with. To begin, open hint 1" in stays
    assert "Your answer" not in stays


def test_a_stand_in_is_named(directory):
    give_result(directory, UNIT, "ada")
    record = json.loads(record_path(directory, UNIT, "ada").read_text("utf-8"))
    record["graded"]["verdicts"]["test_cross_attention"]["stand_ins"] = [ATTENTION]
    record_path(directory, UNIT, "ada").write_text(json.dumps(record), "utf-8")
    give_notebook(directory, UNIT, "ada")
    write_feedback(directory, UNIT)
    page = page_of(directory, "ada")
    said = "Graded with our scaled_dot_product_attention, because yours lost points."
    assert said in section(page, "cross_attention")
    assert "Graded with our" not in section(page, "column_attention")


def test_an_answer_that_stops_is_told_once(directory):
    """An error of the whole cell, and one that every input meets with other sizes."""
    exams = {exam.exercise: exam for exam in UNITS[UNIT.id]}
    give_result(directory, UNIT, "ada")
    record = json.loads(record_path(directory, UNIT, "ada").read_text("utf-8"))
    stopped = exams["column_attention"].unexamined(
        Observed("the cell stopped with SyntaxError: invalid syntax\nin line 8", kind=Kind.STOPPED)
    )
    raised = Verdict(
        ATTENTION,
        8,
        tuple(
            CriterionResult(c.name, c.points, 0.0, raised_at(f"sizes {n} and {n + 3}\nin line 8"))
            for n, c in enumerate(exams[ATTENTION].criteria)
        ),
    )
    record["graded"]["verdicts"] |= {"test_column_attention": stopped.to_json(), f"test_{ATTENTION}": raised.to_json()}
    record_path(directory, UNIT, "ada").write_text(json.dumps(record), "utf-8")
    give_notebook(directory, UNIT, "ada")
    write_feedback(directory, UNIT)
    page = page_of(directory, "ada")
    text = section(page, "column_attention")
    assert "Nothing in this answer could be examined, for the reason below. Mend that first." in text
    assert text.count("SyntaxError") == 1
    assert "open hint" not in text
    text = section(page, ATTENTION)
    assert text.count("raised RuntimeError") == 1
    assert text.count("as above") == len(exams[ATTENTION].criteria) - 1
    assert "could be examined" not in text
    assert "column_attention (−4): the cell stopped with SyntaxError: invalid syntax\n" in page.text
    assert f"{ATTENTION} (−8): {ATTENTION} raised RuntimeError: sizes 0 and 3\n" in page.text


@pytest.mark.parametrize(
    ("lost", "by_hand", "note"),
    [
        ({}, {EXPLAINED: 4}, "Everything is right. Well done."),
        ({}, {EXPLAINED: 3}, None),
        ({}, {}, "Everything that a machine can check is right. Well done. A person reads the rest."),
        (
            {"gram_attention": "not tried"},
            {EXPLAINED: 4},
            "Everything that you have tried is right. Still open: gram_attention.",
        ),
        ({exam.exercise: "not tried" for exam in UNITS["01"]}, None, "This is the notebook as it was given out"),
    ],
)
def test_the_page_opens_with_what_there_is_to_say(directory, lost, by_hand, note):
    give_result(directory, UNIT, "ada", lost)
    stubs = {name: untouched(directory, name) for name in lost}
    words = {EXPLAINED: "Words." if by_hand is not None else untouched(directory, EXPLAINED)}
    give_notebook(directory, UNIT, "ada", stubs | words)
    enter_grades(directory, UNIT, "ada", {EXPLAINED: 0} if by_hand is None else by_hand)
    if by_hand is None:  # as grading leaves it
        with directory.gradebook() as gradebook:
            grade = gradebook.find_grade(EXPLAINED, UNIT.notebook.stem, UNIT.full_name, "ada")
            grade.manual_score, grade.auto_score = None, 0.0
            gradebook.db.commit()
    write_feedback(directory, UNIT)
    text = " ".join(page_of(directory, "ada").text.split())
    notes = ("Everything is right.", "Everything that", "This is the notebook as", "Look here first")
    assert [one for one in notes if one in text] == [one for one in notes if note and note.startswith(one)]
    assert note is None or note in text


def untouched(directory, exercise):
    notebook = nbformat.read(directory.released(UNIT), as_version=4)
    return next(c.source for c in notebook.cells if c.metadata.get("nbgrader", {}).get("grade_id") == exercise)


def test_a_person_reads_and_comments(directory):
    for student in ("read", "unread"):
        give_result(directory, UNIT, student)
        give_notebook(directory, UNIT, student, {EXPLAINED: "A mixes *tokens*."})
    enter_grades(directory, UNIT, "unread")
    said = {EXPLAINED: "Good.\nBut <b>say</b> from what A is made."}
    enter_grades(directory, UNIT, "read", {EXPLAINED: 2.5, ATTENTION: 4}, said)
    write_feedback(directory, UNIT)
    read, unread = page_of(directory, "read"), page_of(directory, "unread")
    text = section(read, EXPLAINED)
    assert "◐ 2.5 of 4" in text
    assert said[EXPLAINED] in text
    assert "A mixes *tokens*." in text
    assert "34.5 of 40" in read.text
    assert "Your instructor has set this score by hand." in section(read, ATTENTION)
    assert "set this score by hand" not in section(read, "cross_attention")
    assert "4 points waiting" in section(unread, EXPLAINED)
    assert "36 of 40 points, so far" in unread.text


@pytest.mark.parametrize("hostile", HOSTILE)
def test_what_comes_from_others_is_text(directory, hostile):
    seen = Observed("is 3", hostile, where=hostile)
    wrong = CriterionResult("output and weights", 3, 1.5, seen, (Mistake(hostile, hostile, hostile),))
    give_result(directory, UNIT, "hostile", {ATTENTION: wrong}, repairs=(hostile,), problems=(hostile,))
    give_notebook(directory, UNIT, "hostile", {ATTENTION: hostile, EXPLAINED: hostile})
    comments = {EXPLAINED: hostile}
    enter_grades(directory, UNIT, "hostile", {EXPLAINED: 1}, comments, (hostile, hostile))
    write_feedback(directory, UNIT)
    page = page_of(directory, "hostile")
    page.require_inert()
    assert page.text.count(hostile) >= 8


def test_control_characters_become_visible(directory):
    turned = "x = 1 # \u202e evil \x1b]0;title\x07"
    give_result(directory, UNIT, "ada", {ATTENTION: turned})
    give_notebook(directory, UNIT, "ada", {ATTENTION: turned})
    write_feedback(directory, UNIT)
    page = page_of(directory, "ada")
    assert not re.search("[\u202e\x1b\x07]", page.html)
    assert "x = 1 # \N{REPLACEMENT CHARACTER} evil" in page.text


def test_the_style_is_the_one_that_the_policy_names(directory):
    give_result(directory, UNIT, "ada")
    give_notebook(directory, UNIT, "ada")
    write_feedback(directory, UNIT)
    html = page_of(directory, "ada").html
    style = re.search(r"<style>(.*?)</style>", html, re.DOTALL)[1]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert f"style-src 'sha256-{digest}'" in html
    assert not re.search(r"url\(|@import|https?:", style)


def test_no_path_is_shown(directory):
    inside = "/home/grader/class/secret.key"
    wrong = CriterionResult("output and weights", 3, 0, raised_at(f"'{inside}' is missing"))
    give_result(directory, UNIT, "ada", {ATTENTION: wrong}, problems=(f"the cell x read {inside}",))
    give_notebook(directory, UNIT, "ada")
    write_feedback(directory, UNIT)
    page = page_of(directory, "ada")
    assert "/home" not in page.html
    assert "'secret.key' is missing" in page.text
    assert str(directory.root) not in page.html


@pytest.mark.parametrize("kept", ["1/√d_k", "q @ k / math.sqrt(3)", "(n_q/2)/4", "w_q/w_k", "dim=-1 and/or dim=-2"])
def test_formulas_are_no_paths(kept):
    assert without_paths(kept) == kept


@pytest.mark.parametrize("path", ["/etc/passwd", "~/class/gradebook.db", r"C:\Users\grader\key.txt", "/tmp/a b/c.py"])
def test_paths_lose_their_folders(path):
    name = re.split(r"[/\\]", path)[-1]
    assert without_paths(f"could not open {path}, sorry") == f"could not open {name}, sorry"


def test_repairs_and_problems_are_told(directory):
    give_result(directory, UNIT, "ada", repairs=("the cell x was missing",), problems=("the cell y ran too long",))
    give_notebook(directory, UNIT, "ada")
    write_feedback(directory, UNIT)
    page = page_of(directory, "ada")
    assert "this notebook was repaired" in page.text
    assert "the cell x was missing" in page.text
    assert "the cell y ran too long" in page.text


@pytest.mark.parametrize("damage", ["[]", "{", "", '{"graded": {"verdicts": {"test_x": 3}}}', '{"graded": "\\ud800"}'])
def test_a_damaged_result_file_costs_nothing(directory, damage):
    """The verdicts stand in the graded notebook too."""
    give_result(directory, UNIT, "ada", {ATTENTION: NO_SCALE})
    give_notebook(directory, UNIT, "ada")
    enter_grades(directory, UNIT, "ada")
    record = directory.root / "results" / UNIT.full_name / "ada.json"
    verdict = json.loads(record.read_text("utf-8"))["graded"]["verdicts"][f"test_{ATTENTION}"]
    path = directory.root / "autograded" / "ada" / UNIT.full_name / UNIT.notebook.name
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if cell.metadata.get("nbgrader", {}).get("grade_id") == f"test_{ATTENTION}":
            cell.outputs = [new_output("display_data", {"text/plain": "", MIME: verdict})]
    nbformat.write(notebook, path)
    record.write_text(damage, "utf-8")
    write_feedback(directory, UNIT)
    assert DIAGNOSIS in section(page_of(directory, "ada"), ATTENTION)


def test_a_page_that_fails_costs_no_other(directory):
    for student in ("ada", "broken", "last"):
        give_result(directory, UNIT, student)
        give_notebook(directory, UNIT, student)
    write_feedback(directory, UNIT)
    (directory.root / "autograded" / "broken" / UNIT.full_name / UNIT.notebook.name).write_text("{")
    with pytest.raises(CourseError, match=r"1 of 3 pages .* the page of broken failed") as told:
        write_feedback(directory, UNIT)
    assert "ada" not in str(told.value)
    assert {page.parts[-3] for page in directory.root.glob("feedback/*/*/*.html")} == {"ada", "last"}


@pytest.mark.parametrize("student", ["two words", "é@example", "学生", "🙂", "o'brien", 'a"b&c<d>'])
def test_any_id_has_its_page(directory, student):
    give_result(directory, UNIT, student)
    give_notebook(directory, UNIT, student)
    assert len(write_feedback(directory, UNIT)) == 1
    page = page_of(directory, student)
    page.require_inert()
    assert f"Feedback for {student}" in page.text


def test_nbgrader_finds_what_it_needs_to_release_a_page(directory):
    give_result(directory, UNIT, "ada")
    give_notebook(directory, UNIT, "ada")
    notes = {"timestamp.txt": "2027-01-01 00:00:00 UTC", "submission_secret.txt": "abc"}
    for name, text in notes.items():
        (directory.submission("ada", UNIT).parent / name).write_text(text)
    (page,) = write_feedback(directory, UNIT)
    assert {name: (page.parent / name).read_text() for name in notes} == notes


def test_the_same_page_twice(directory):
    give_result(directory, UNIT, "ada", {ATTENTION: NO_SCALE})
    give_notebook(directory, UNIT, "ada")
    (page,) = write_feedback(directory, UNIT)
    before = page.read_bytes()
    write_feedback(directory, UNIT)
    assert page.read_bytes() == before
