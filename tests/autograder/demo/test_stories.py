"""The demonstration: submissions each graded as its story says, and a report and pages of feedback at the end."""

import json
import re
import subprocess
import sys

import pytest
from builders.records import Page

from autograder.course.units import find_unit
from autograder.demo.demo_class import HANDED_IN
from autograder.demo.stories import STORIES

pytestmark = pytest.mark.xdist_group("demo")

# what each story must lose, and the sentence that must explain it
LOSSES = {
    "no-scale": ("scaled_dot_product_attention", "without the 1/√d_k scale"),
    "wrong-axis": ("scaled_dot_product_attention", "softmax runs over the queries"),
    "mask-inverted": ("scaled_dot_product_attention", "mask is inverted"),
    "roles-swapped": ("cross_attention", "roles are swapped"),
    "forgot-transpose": ("scaled_dot_product_attention", "should the second be transposed"),
    "syntax-error": ("column_attention", "SyntaxError"),
}


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """The folder of the demonstration, and what it printed."""
    root = tmp_path_factory.mktemp("demo")
    command = [sys.executable, "-c", "from autograder.cli.main import main; main()", "demo", "--folder", root]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return root, done.stdout


@pytest.fixture(scope="module")
def results(demo):
    lines = {unit: (demo[0] / f"results-{unit}.jsonl").read_text("utf-8").splitlines() for unit in HANDED_IN}
    return {unit: {r["student"]: r for r in map(json.loads, found)} for unit, found in lines.items()}


def test_every_story_is_told(results):
    found = results["01"]
    assert set(found) == {story.student for story in STORIES} | set(HANDED_IN["01"])
    assert found["perfect"]["score"] == found["late"]["score"] == 36
    assert found["blank"]["score"] == 0
    assert 0 < found["half-done"]["score"] < 36
    assert found["cheat"]["score"] == 0
    for student, name in (("hang", "gram_attention"), ("crash", "attention_matrix")):
        lost = next(e for e in found[student]["exercises"] if e["id"] == name)
        assert (lost["score"], found[student]["score"]) == (0, 36 - lost["points"])
        assert name in found[student]["problems"][0]
    assert found["late"]["late_seconds"] == pytest.approx(3 * 3600)
    assert found["perfect"]["late_seconds"] == 0
    for student, (name, sentence) in LOSSES.items():
        exercise = next(e for e in found[student]["exercises"] if e["id"] == name)
        assert exercise["score"] < exercise["points"]
        assert sentence in exercise["diagnosis"]


def test_about_forty_submissions_and_every_mistake_is_named(results):
    drawn = [result for unit, found in results.items() for s, result in found.items() if s in HANDED_IN[unit]]
    assert 38 <= sum(map(len, results.values())) <= 42
    for result in drawn:
        assert result["status"] in ("graded", "attention"), result
        lost = [e for e in result["exercises"] if e["score"] < e["points"] and e["status"] == "graded"]
        assert lost, result
        for exercise in lost:
            assert exercise["diagnosis"], exercise


def test_it_ends_with_the_report_and_feedback(demo):
    root, printed = demo
    unit = find_unit("01")
    report = root / "class" / "reports" / "class.html"
    page = root / "class" / "feedback" / "no-scale" / unit.full_name / f"{unit.full_name}.html"
    commented = root / "class" / "feedback" / "student-01" / unit.full_name / f"{unit.full_name}.html"
    bundle = root / "class" / "release" / f"{unit.full_name}.zip"
    for path in (report, page, commented, bundle, root / "results-01.jsonl"):
        assert path.exists()
        assert str(path) in printed
    assert "without the 1/√d_k scale" in page.read_text("utf-8")
    assert "From your instructor" in commented.read_text("utf-8")
    text = " ".join(Page(report.read_text("utf-8")).text.split())
    assert "near-copy and student-01: " in text
    assert "cheat: its code uses input_transformers_cleanup" in text
    assert "hang: grading gram_attention" in text
    assert re.search(r"(Two|Three|Four|Five) of you in exercise \d+: your? ", text)
    assert "Your weights equal attention without the 1/√d_k scale." in text  # of one alone, so among the rarer
