"""A Transformer is paid part by part: endings and embeddings of other code cost one part."""

import pytest

from autograder.exams.unit_06.transformer import transformer


@pytest.mark.parametrize(
    ("slug", "score"),
    [
        ("no-scale", 4.5),
        ("sees-the-future", 4),
        ("log-probabilities", 6),
        ("no-encoder-norm", 6.5),
        ("padding-is-0", 4),
    ],
)
def test_one_slip_costs_what_it_is_worth(slug, score):
    answer = next(known.answer for known in transformer.misconceptions if known.slug == slug)
    verdict = transformer.grade(answer)
    assert verdict.score >= score
    assert [mistake.id for mistake in verdict.mistakes] == [f"{transformer.exercise}/{slug}"]
