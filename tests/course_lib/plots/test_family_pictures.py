"""The pictures of unit 07: attention patterns side by side, and how often tokens are drawn."""

import torch

from course_lib import plots


def png(picture):
    data, metadata = picture._repr_mimebundle_()
    assert metadata["image/png"]["alt"] == picture.alt == data["text/plain"]
    assert len(data["image/png"]) > 1000


def test_patterns_stand_side_by_side_and_blocked_cells_are_hatched():
    causal = torch.tensor([[1.0, 0.0, 0.0], [0.4, 0.6, 0.0], [0.2, 0.3, 0.5]])
    cross = torch.tensor([[0.1, 0.9], [0.7, 0.3]])
    picture = plots.family_maps("Patterns", {"causal": causal, "cross": cross}, {"cross": ("xy", "ab")})
    assert "causal: queries look most at keys 0, 1, 2; 3 of 9 weights are exactly 0." in picture.alt
    assert "cross: queries look most at keys 1, 0; 0 of 4" in picture.alt
    first, second, _ = picture.axes
    assert [len(ax.patches) for ax in (first, second)] == [3, 0]
    assert (first.get_title(), first.get_xlabel(), first.get_ylabel()) == ("causal", "key", "query")
    assert [label.get_text() for label in second.get_xticklabels()] == ["a", "b"]
    png(picture)


def test_bars_are_shares_of_the_draws_beside_the_odds_wanted():
    drawn = {"T = 1": torch.tensor([0, 0, 0, 1]), "T = 9": torch.tensor([1, 0])}
    wanted = {"T = 1": torch.tensor([0.7, 0.3, 0.0]), "T = 9": torch.tensor([0.5, 0.5, 0.0])}
    picture = plots.drawn_odds("Odds", drawn, "abc", wanted)
    assert "T = 1: shares 0.75, 0.25, 0.00." in picture.alt
    first, second = picture.axes
    assert [bar.get_height() for bar in first.patches] == [0.75, 0.25, 0.0]
    assert [bar.get_height() for bar in second.patches] == [0.5, 0.5, 0.0]
    assert first.get_ylabel() == "share of the draws"
    png(picture)
    png(plots.drawn_odds("Odds", drawn, "abc"))
