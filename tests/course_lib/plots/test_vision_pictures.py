"""The pictures of unit 08 draw, and say in words what they show."""

import io

import pytest
import torch

from course_lib import plots
from course_lib.models.patches import patchify

IMAGE = torch.rand(4, 6)


@pytest.mark.parametrize(
    ("picture", "words"),
    [
        (
            plots.patch_tokens(IMAGE, patchify(IMAGE[None, None], 2)[0], 2),
            "an image of 4 × 6 pixels, cut into 2 × 3 patches, numbered row by row. Right: 6 tokens of 4 numbers",
        ),
        (plots.image_row({"one": IMAGE, "two": IMAGE[:2]}), "one: 4 × 6 pixels; two: 2 × 6 pixels"),
        (
            plots.grid_maps("Positions", {"small": torch.tensor([[0.0, 1.0]]), "large": torch.full((3, 5), -2.0)}),
            "Positions. small: 1 × 2 patches; large: 3 × 5 patches. Values from -2 to 1.",
        ),
        (
            plots.error_bars("Runs", {"a": {50: [0.5, 0.7], 200: [0.8, 0.8]}, "b": {50: [0.1]}}, "images", "accuracy"),
            "accuracy against images: a 0.60 ± 0.14 at 50, 0.80 ± 0.00 at 200; b 0.10 ± 0.00 at 50.",
        ),
    ],
)
def test_picture_draws_and_says_what_it_shows(picture, words):
    assert words in picture.alt
    picture.savefig(io.BytesIO(), format="png", dpi=40)
    axes = [ax for ax in picture.axes if ax.get_title()]
    assert axes
    assert all(ax.get_xlabel() for ax in axes)


def test_patches_are_numbered_in_reading_order():
    picture = plots.patch_tokens(IMAGE, patchify(IMAGE[None, None], 2)[0], 2)
    numbers = sorted(picture.axes[0].texts, key=lambda text: (text.get_position()[1], text.get_position()[0]))
    assert [text.get_text() for text in numbers] == ["0", "1", "2", "3", "4", "5"]
