"""Every picture draws, says in words what it shows, and can be read in grey."""

import io

import numpy as np
import pytest
import torch
from matplotlib import colormaps
from matplotlib.colors import to_rgb
from matplotlib.image import imread

from autograder.exams.unit_05.shape_sheet import SHEET as DECODER_SHEET
from course_lib import plots
from course_lib.plots.cell_numbers import number_cells
from course_lib.plots.curve import STYLES
from course_lib.plots.diagrams.block_diagram import DARK_ORANGE
from course_lib.plots.picture import BLUE, INK, ORANGE, PAPER


def pixels(picture):
    image = io.BytesIO()
    picture.savefig(image, format="png", dpi=50)
    image.seek(0)
    return imread(image)[..., :3]


def brightness(color):
    return float(np.dot(to_rgb(color), (0.2126, 0.7152, 0.0722)))


def contrast(color, ground):
    def light(color):
        channels = np.array(to_rgb(color))
        linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
        return float(np.dot(linear, (0.2126, 0.7152, 0.0722)))

    darker, lighter = sorted((light(color), light(ground)))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize(
    ("picture", "words"),
    [
        (plots.encoding_maps({"small": torch.rand(5, 6)}), "small: 5 positions, 6 features"),
        (
            plots.mask_maps({"m": torch.ones(1, 1, 3, 3).triu(1).bool()}),
            "query 0 sees key 0. query 1 sees keys 0, 1.",
        ),
        (plots.mask_maps({"m": torch.ones(2, 3).bool()}), "query 1 sees no key"),
        (plots.mask_maps({"m": torch.zeros(2, 4).bool()}), "query 0 sees keys 0 to 3"),
        (
            plots.curves("Loss", {"ours": [3.0, 1.0]}, levels={"chance": 2.3}),
            "ours goes from 3 to 1; chance is at 2.3",
        ),
        (plots.head_maps(torch.eye(3).repeat(5, 1, 1)), "Head 4: queries look most at keys 0, 1, 2."),
        (
            plots.image_attention(torch.rand(1, 8, 8), torch.eye(4).flip(0)[None, :1, :].expand(1, 2, 4)),
            "column 3",
        ),
        (
            plots.curves("Waves", {"a": [0.0, 1.0], "b": [1.0, 0.0]}, names_beside=True),
            "a goes from 0 to 1; b goes from 1 to 0",
        ),
        (
            plots.bias_maps({"m = 1": torch.tensor([[2.0, -1.0], [0.5, 2.0]])}),
            "m = 1: row 0 is 2.0, -1.0",
        ),
        (plots.bias_maps({"wide": torch.zeros(12, 12), "wider": torch.ones(12, 12)}), "wide: row 0 is 0.0"),
        (plots.decoder_block_diagram(DECODER_SHEET), "K2 has shape (B, n_src, d_k)"),
        (plots.decoder_block_diagram({}), "K2 has shape unknown"),
        (plots.multi_head_diagram({"A": "B h n_q n_k"}), "A has shape (B, h, n_q, n_k)"),
        (plots.multi_head_diagram({}), "W_o has shape unknown"),
        (plots.head_maps(torch.eye(3)[None].requires_grad_(), title="One"), "One, 1 head."),
        (
            plots.head_cells(torch.arange(12).reshape(2, 3, 2).transpose(0, 1).reshape(3, 2, 2), d=6),
            "Head 1: row 0 has features 2, 3 of token 0; row 1 has features 2, 3 of token 1.",
        ),
        (plots.head_cells(torch.arange(12).reshape(3, 2, 2), d=6), "row 0 has features 4, 5 of token 0"),
    ],
)
def test_pictures_draw_and_say_what_they_show(picture, words):
    assert words in picture.alt
    assert pixels(picture).std() > 0.02, "an empty picture"
    data, metadata = picture._repr_mimebundle_()
    assert metadata["image/png"]["alt"] == picture.alt
    assert data["image/png"]


def test_clock_hands_say_how_far_each_ends_from_its_ring():
    encoding = torch.tensor([[0.0, 1.0, 0.0, 1.0], [1.0, 0.0, 0.0, 1.0]])
    picture = plots.clock_hands(encoding, torch.eye(4), position=0, k=1, pairs=(0, 1))
    assert "pair 0 ends 1.41 from its ring, pair 1 ends 0.00 from its ring" in picture.alt
    assert pixels(picture).std() > 0.02
    assert [ax.get_title() for ax in picture.axes] == ["pair 0", "pair 1"]


def test_the_heat_map_keeps_its_order_in_grey():
    shades = [brightness(color) for color in colormaps["cividis"](np.linspace(0, 1, 32))[:, :3]]
    assert shades == sorted(shades)


@pytest.mark.parametrize("colours", ["cividis", "PuOr_r"])
def test_a_number_can_be_read_on_every_shade(colours):
    picture = plots.Picture(4.0, 2.0, "shades")
    shades = torch.linspace(-1, 1, 40).reshape(2, 20).numpy()
    image = picture.subplots().imshow(shades, cmap=colours, extent=(0, 5, 0, 3))
    number_cells(image, "{:.3f}".format)
    for text, shade in zip(image.axes.texts, shades.flatten(), strict=True):
        assert text.get_text() == f"{shade:.3f}"
        assert contrast(text.get_color(), image.to_rgba(shade)[:3]) >= 4.5
    assert image.axes.texts[0].get_position() == (0.125, 2.25)
    assert image.axes.texts[-1].get_position() == (4.875, 0.75)


def test_what_is_not_a_number_is_written_too():
    picture = plots.attention_maps({"broken": torch.tensor([[float("nan"), 1.0], [0.5, 0.5]])})
    assert [text.get_text() for text in picture.axes[0].texts] == ["nan", "1.00", "0.50", "0.50"]
    assert picture.axes[0].texts[0].get_color() == "black"  # its cell is white


def test_curves_differ_in_style_and_too_many_are_refused():
    assert len({str(style) for _, style in STYLES}) == len(STYLES)
    with pytest.raises(ValueError, match=r"at most 5.*got 6"):
        plots.curves("Loss", {str(i): [1.0, 2.0] for i in range(6)})


def test_smoothed_curves_are_running_means():
    picture = plots.curves("Loss", {"ours": [4.0, 2.0, 0.0]}, smooth=2)
    raw, smooth = picture.axes[0].lines
    assert list(raw.get_ydata()) == [4, 2, 0]
    assert list(smooth.get_ydata()) == [4, 3, 1]


def test_blocked_cells_look_different_from_open_ones():
    blocked = pixels(plots.mask_maps({"m": torch.ones(4, 4).bool()}))
    free = pixels(plots.mask_maps({"m": torch.zeros(4, 4).bool()}))
    assert blocked.mean() < free.mean() - 0.05


def test_a_jacobian_shows_what_rises_and_what_falls():
    picture = plots.jacobian_map("J", torch.tensor([[0.25, -0.25, 0.0], [-0.1, 0.2, -0.1]]))
    assert picture.alt == "J. Output 0: +0.250, −0.250, +0.000. Output 1: −0.100, +0.200, −0.100."
    assert [text.get_text() for text in picture.axes[0].texts][1] == "−0.250"
    assert pixels(plots.jacobian_map("J", torch.zeros(3, 3))).std() > 0.02


def test_weight_bars_say_entropy_and_slope():
    weights = {"even": torch.full((4,), 0.25), "winner": torch.tensor([0.0, 1.0, 0.0, 0.0])}
    picture = plots.weight_bars("Shares", weights, names=["1", "5", "2", "3"])
    assert "even: weights 0.25, 0.25, 0.25, 0.25, entropy 2.00 bits, slope 0.188." in picture.alt
    assert "entropy 0.00 bits, slope 0.000." in picture.alt
    assert [bar.get_height() for bar in picture.axes[1].patches] == [0, 1, 0, 0]
    assert [label.get_text() for label in picture.axes[1].get_xticklabels()] == ["1", "5", "2", "3"]
    six = plots.weight_bars("Shares", {str(i): torch.rand(3) for i in range(6)})
    assert [ax.get_title() == "" for ax in six.axes] == [False] * 6 + [True] * 2


def test_cells_of_a_whole_batch_are_refused():
    with pytest.raises(ValueError, match=r"heads of one sequence.*\(1, 3, 2, 2\)"):
        plots.head_cells(torch.zeros(1, 3, 2, 2), d=6)


def test_masks_of_different_sizes_have_cells_of_one_size():
    picture = plots.mask_maps({f"{n}": torch.ones(n, n).triu(1).bool() for n in (1, 3)}, keys=["a", "b", "c"])
    picture.canvas.draw()
    small, large = picture.axes
    assert small.get_xlim() == large.get_xlim()
    assert small.get_ylim() == large.get_ylim()
    assert [tick.get_text() for tick in small.get_xticklabels()] == ["a"]
    cells = [ax.transData.transform([(0, 0), (1, 1)]) for ax in (small, large)]
    assert np.allclose(*(corners[1] - corners[0] for corners in cells), atol=0.5)


def test_a_picture_is_a_light_card_with_round_corners_for_any_page():
    image = io.BytesIO(plots.curves("Loss", {"ours": [3.0, 1.0]}).png())
    card = imread(image)
    assert card.shape[-1] == 4
    assert all(card[y, x, 3] == 0 for y in (0, -1) for x in (0, -1)), "the corners of the page show through"
    edge = card[len(card) // 2, 2]
    assert edge[3] == 1
    assert brightness(edge[:3]) > 0.9


@pytest.mark.parametrize(("color", "least"), [(INK, 7), (BLUE, 4.5), (DARK_ORANGE, 4.5), ("#555555", 4.5), (ORANGE, 3)])
def test_words_can_be_read_on_the_card(color, least):
    """By the contrast that the guidelines for accessible pages ask for; ORANGE is for lines and large letters."""
    assert contrast(color, PAPER) >= least


def test_attention_maps_say_where_each_query_looks():
    weights = torch.tensor([[0.1, 0.9], [0.8, 0.2], [0.5, 0.5]])
    picture = plots.attention_maps({"first": weights, "second": 1 - weights})
    assert "first: query 0 looks most at key 1, query 1 looks most at key 0" in picture.alt
