"""A block that is always pre-norm is paid for its masks and its dropout."""

import pytest

from autograder.exams.unit_05.encoder import encoder_block


@pytest.mark.parametrize(
    ("slug", "score"),
    [
        ("always-before", 2.75),
        ("always-after", 2.75),
        ("no-mask", 3),
        ("no-dropout", 3.5),
    ],
)
def test_one_slip_costs_what_it_is_worth(slug, score):
    answer = next(known.answer for known in encoder_block.misconceptions if known.slug == slug)
    verdict = encoder_block.grade(answer)
    assert verdict.score >= score
    assert [mistake.id for mistake in verdict.mistakes] == [f"{encoder_block.exercise}/{slug}"]
