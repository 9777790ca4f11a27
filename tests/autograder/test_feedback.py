"""A page of feedback: what it says, what it never shows, and that nothing in it can run."""

import base64
import hashlib
import json
import re
import shutil

import nbformat
import pytest
from made_results import Page, enter_grades, give_notebook, give_result
from nbformat.v4 import new_output

from autograder.class_directory import ClassDirectory, init_class
from autograder.course import find_unit
from autograder.errors import CourseError
from autograder.feedback import write_feedback
from autograder.feedback_page import without_paths
from autograder.release import release_unit
from autograder.verdict import MIME, CriterionResult

UNIT = find_unit("01")
ATTENTION = "scaled_dot_product_attention"
DIAGNOSIS = "Your weights equal attention without the 1/√d_k scale. See hint 3."
HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</pre></details><svg onload=alert(1)><style>*{display:none}</style>",
    "<a href='javascript:alert(1)'>here</a>",
    "{{ 7 * 7 }}{% raw %}",
    "--><iframe srcdoc='<script>alert(1)</script>'>",
    "![x](http://127.0.0.1/x.png) <base href='//127.0.0.1/'>",
)


@pytest.fixture(scope="session")
def empty_class(tmp_path_factory):
    directory = init_class(tmp_path_factory.mktemp("pages") / "class")
    release_unit(directory, UNIT)
    return directory


@pytest.fixture
def directory(empty_class, tmp_path):
    shutil.copytree(empty_class.root, tmp_path / "class")
    return ClassDirectory(tmp_path / "class")


def page_of(directory, student):
    path = directory.root / "feedback" / student / UNIT.full_name / f"{UNIT.full_name}.html"
    return Page(path.read_text("utf-8"))


def section(page, exercise):
    """The text of one exercise."""
    sections = re.findall(r'<section class="exercise">.*?</section>', page.html, re.DOTALL)
    (found,) = (text for text in sections if f"<code>{exercise}</code></div>" in text)
    return Page(found).text


def test_points_findings_diagnosis_and_hint(directory):
    wrong = CriterionResult(
        "output and weights", 3, 0, "weights[0, 1] sums to 0.31, expected 1: over the keys?", DIAGNOSIS
    )
    give_result(directory, UNIT, "ada", {ATTENTION: wrong, "cross_attention": "not tried"})
    give_notebook(directory, UNIT, "ada", {ATTENTION: "def scaled_dot_product_attention(q, k, v):\n    return q < k"})
    enter_grades(directory, UNIT, "ada")
    (path,) = write_feedback(directory, UNIT)
    page = page_of(directory, "ada")
    assert path == directory.root / "feedback" / "ada" / UNIT.full_name / f"{UNIT.full_name}.html"
    text = section(page, ATTENTION)
    assert "Exercise 3" in text
    assert "5 of 8" in text
    assert "✗0 of 3output and weights" in text
    assert "✓2 of 2a mask blocks keys" in text
    assert "yoursweights[0, 1] sums to 0.31" in text
    assert "wanted1: over the keys?" in text
    assert DIAGNOSIS in text
    assert "open hint 3 (“nearly there”) under this exercise" in text
    assert "return q < k" in text
    untried = section(page, "cross_attention")
    assert "✗ 0 of 5" in untried
    assert "Not tried" in untried
    assert "hint 1 (“who makes what”)" in untried
    assert "28 of 40" in page.text
    page.require_inert()


def test_a_person_reads_and_comments(directory):
    for student in ("read", "unread"):
        give_result(directory, UNIT, student)
        give_notebook(directory, UNIT, student, {"explain_attention_matrix": "A mixes *tokens*."})
    enter_grades(directory, UNIT, "unread")
    said = {"explain_attention_matrix": "Good.\nBut <b>say</b> from what A is made."}
    enter_grades(directory, UNIT, "read", {"explain_attention_matrix": 2.5, ATTENTION: 4}, said)
    write_feedback(directory, UNIT)
    read, unread = page_of(directory, "read"), page_of(directory, "unread")
    text = section(read, "explain_attention_matrix")
    assert "◐ 2.5 of 4" in text
    assert said["explain_attention_matrix"] in text
    assert "A mixes *tokens*." in text
    assert "34.5 of 40" in read.text
    assert "Your instructor has set this score by hand." in section(read, ATTENTION)
    assert "set this score by hand" not in section(read, "cross_attention")
    assert "4 points waiting" in section(unread, "explain_attention_matrix")
    assert "36 of 40 points, so far" in unread.text


@pytest.mark.parametrize("hostile", HOSTILE)
def test_what_comes_from_others_is_text(directory, hostile):
    wrong = CriterionResult("output and weights", 3, 1.5, f"{hostile} is 3, expected {hostile}", hostile)
    give_result(directory, UNIT, "hostile", {ATTENTION: wrong}, repairs=(hostile,), problems=(hostile,))
    give_notebook(directory, UNIT, "hostile", {ATTENTION: hostile, "explain_attention_matrix": hostile})
    comments = {"explain_attention_matrix": hostile}
    enter_grades(directory, UNIT, "hostile", {"explain_attention_matrix": 1}, comments, (hostile, hostile))
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
    wrong = CriterionResult("output and weights", 3, 0, f"it raised FileNotFoundError: '{inside}' is missing")
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
    give_result(directory, UNIT, "ada", {ATTENTION: DIAGNOSIS})
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
    give_result(directory, UNIT, "ada", {ATTENTION: DIAGNOSIS})
    give_notebook(directory, UNIT, "ada")
    (page,) = write_feedback(directory, UNIT)
    before = page.read_bytes()
    write_feedback(directory, UNIT)
    assert page.read_bytes() == before
