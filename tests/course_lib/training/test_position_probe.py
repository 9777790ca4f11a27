"""The probe of positions: it needs them, learns with them, and leaves torch's settings alone."""

import pytest
import torch

from course_lib.nn.positions import PositionalEncoding, relative_position_bias
from course_lib.training.position_probe import FARTHEST, VOCAB, PositionProbe, accuracy, train_probe


def test_answers_have_a_row_for_each_token_and_the_bias_decides_who_is_seen():
    probe, tokens = PositionProbe(bias=relative_position_bias), torch.randint(VOCAB, (3, 5))
    blank = probe(tokens)
    assert blank.shape == (3, 5, VOCAB)
    with torch.no_grad():
        probe.table[FARTHEST - 1] = 100.0  # all weight on the token before
        seen = probe.answer(probe.values(probe.embedding(tokens)))
        torch.testing.assert_close(probe(tokens)[:, 1:], seen[:, :-1])


def test_accuracy_counts_the_places_asked_for():
    class Knows(PositionProbe):
        """Right at even places only."""

        def forward(self, tokens):
            before = torch.nn.functional.one_hot(tokens.roll(1, 1), VOCAB).float()
            before[:, 1::2] = before[:, 1::2].roll(1, -1)
            return before

    assert accuracy(Knows(), 9, range(2, 9, 2)) == 1
    assert accuracy(Knows(), 9, [1, 3]) == 0
    assert accuracy(Knows(), 9) == pytest.approx(0.5)


def test_blind_probe_stays_near_the_words_and_a_bias_carries_over():
    threads, state = torch.get_num_threads(), torch.get_rng_state()
    blind = train_probe(16)
    assert 0.2 < accuracy(blind, 16) < 0.35
    by_distance = train_probe(16, bias=relative_position_bias)
    assert accuracy(by_distance, 32, range(16, 32)) > 0.97
    assert torch.get_num_threads() == threads
    assert torch.equal(torch.get_rng_state(), state)


def test_sinusoids_are_perfect_inside_the_training_length_and_not_outside():
    probe = train_probe(16, lambda: PositionalEncoding(32, 64))
    assert accuracy(probe, 16) > 0.99
    assert 0.25 < accuracy(probe, 32, range(16, 32)) < 0.7
