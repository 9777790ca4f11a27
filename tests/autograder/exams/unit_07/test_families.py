"""A model that returns probabilities is paid for what its tokens see."""

import pytest

from autograder.exams.unit_07.families import encoder_only


@pytest.mark.parametrize(
    ("slug", "score"),
    [
        ("probabilities", 2),
        ("log-probabilities", 2),
        ("sees-padding", 2),
    ],
)
def test_one_slip_costs_what_it_is_worth(slug, score):
    answer = next(known.answer for known in encoder_only.misconceptions if known.slug == slug)
    verdict = encoder_only.grade(answer)
    assert verdict.score >= score
    assert [mistake.id for mistake in verdict.mistakes] == [f"{encoder_only.exercise}/{slug}"]
