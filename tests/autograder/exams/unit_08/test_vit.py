"""A Vision Transformer is paid part by part."""

import pytest

from autograder.exams.unit_08.vit import vision_transformer


@pytest.mark.parametrize(
    ("slug", "score"),
    [
        ("no-positions", 4.5),
        ("mean-of-patches", 3),
        ("normalises-after", 5),
        ("log-probabilities", 3),
    ],
)
def test_one_slip_costs_what_it_is_worth(slug, score):
    answer = next(known.answer for known in vision_transformer.misconceptions if known.slug == slug)
    verdict = vision_transformer.grade(answer)
    assert verdict.score >= score
    assert [mistake.id for mistake in verdict.mistakes] == [f"{vision_transformer.exercise}/{slug}"]
