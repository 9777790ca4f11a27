"""The demonstration: submissions each graded as its story says, a cheat, a hang and a crash among them."""

import json

import pytest

from autograder.demo import STORIES

pytestmark = pytest.mark.xdist_group("demo")

# what each story must lose, and the sentence that must explain it
LOSSES = {
    "no-scale": ("scaled_dot_product_attention", "without the 1/√d_k scale"),
    "wrong-axis": ("scaled_dot_product_attention", "softmax runs over the queries"),
    "mask-inverted": ("scaled_dot_product_attention", "mask is inverted"),
    "roles-swapped": ("cross_attention", "roles are swapped"),
    "forgot-transpose": ("scaled_dot_product_attention", "scores = q @ k / math.sqrt"),
    "syntax-error": ("column_attention", "SyntaxError"),
}


def test_demo_tells_every_story(course, tmp_path):
    code, printed = course("demo", "--folder", tmp_path)
    assert code == 0, printed
    lines = (tmp_path / "results.jsonl").read_text("utf-8").splitlines()
    results = {result["student"]: result for result in map(json.loads, lines)}
    assert set(results) == {story.student for story in STORIES}
    assert results["perfect"]["score"] == results["late"]["score"] == 36
    assert results["blank"]["score"] == 0
    assert 0 < results["half-done"]["score"] < 36
    assert results["cheat"]["score"] == 0
    for student, name in (("hang", "gram_attention"), ("crash", "attention_matrix")):
        lost = next(e for e in results[student]["exercises"] if e["id"] == name)
        assert (lost["score"], results[student]["score"]) == (0, 36 - lost["points"])
        assert name in results[student]["problems"][0]
    assert results["late"]["late_seconds"] == pytest.approx(3 * 3600)
    assert results["perfect"]["late_seconds"] == 0
    for student, (name, sentence) in LOSSES.items():
        exercise = next(e for e in results[student]["exercises"] if e["id"] == name)
        assert exercise["score"] < exercise["points"]
        assert sentence in exercise["diagnosis"]
    for path in ("class/release/01_cross_attention_shapes.zip", "class/feedback/no-scale", "results.jsonl"):
        assert (tmp_path / path).exists()
        assert str(tmp_path / path) in printed
