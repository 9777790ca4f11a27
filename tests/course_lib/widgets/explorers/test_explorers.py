"""Explorers: driven by the student's own function, with a stand-in until it works, for each kind of reader."""

import pytest
import torch
from browser.gallery import gallery
from matplotlib.backends.backend_agg import FigureCanvasAgg
from torch import nn

from course_lib import widgets
from course_lib.plots import Picture

# For each explorer a control, and a value that must change what is seen.
MOVES = {
    "00": ("a", "5 6"),
    "01": ("turn", 90),
    "02": ("beta", 35),
    "03": ("width", 8),
    "04": ("query", 1),
    "05": ("pads", 4),
    "06": ("step", 2),
    "07": ("temperature", 3.0),
    "08": ("number", 7),
    "08_patches": ("patch", 4),
}
MAKERS = gallery(steps=0)
EXPLORER = pytest.mark.parametrize("number", sorted(MAKERS))


def png(picture):
    return picture._repr_mimebundle_()[0]["image/png"]


def blank(*arguments, **options):
    raise NotImplementedError


class BlankModule(nn.Module):
    def forward(self, *arguments):
        raise NotImplementedError


BLANK = {
    "00": lambda: widgets.explore_outer(blank),
    "01": lambda: widgets.explore_attention(blank),
    "02": lambda: widgets.explore_softmax(blank),
    "03": lambda: widgets.explore_positions(blank),
    "04": lambda: widgets.explore_heads(blank),
    "05": lambda: widgets.explore_masks(blank, blank, blank, blank),
    "06": lambda: widgets.explore_decoding(blank),
    "07": lambda: widgets.explore_sampling(blank),
    "08": lambda: widgets.explore_image_attention(BlankModule(), torch.rand(3, 1, 8, 8)),
    "08_patches": lambda: widgets.explore_patches(blank, torch.rand(3, 1, 8, 8)),
}


def test_every_explorer_is_tested():
    assert MAKERS.keys() == MOVES.keys() == BLANK.keys()
    public = {name for name in widgets.__all__ if name.startswith("explore_")}
    assert len(public) == len(MAKERS)


@EXPLORER
def test_moving_a_control_draws_another_picture(number):
    explorer = MAKERS[number]()
    before, before_png = explorer.picture.alt, png(explorer.picture)
    name, value = MOVES[number]
    explorer.widgets[name].value = value
    assert explorer.picture.alt != before
    assert png(explorer.picture) != before_png
    assert explorer.values[name] == value


@EXPLORER
def test_every_control_can_be_moved_and_moved_back(number):
    explorer = MAKERS[number]()
    before = explorer.picture.alt
    for widget in explorer.widgets.values():
        start = widget.value
        if hasattr(widget, "max"):
            ends = (widget.min, widget.max)
        elif hasattr(widget, "options"):
            ends = [value for _, value in (widget.options[0], widget.options[-1])]
        elif isinstance(start, bool):
            ends = (not start,)
        else:
            ends = ("1 1",)
        for end in ends:
            widget.value = end
            assert isinstance(explorer.picture, Picture)
        widget.value = start
        assert explorer.note == ""
    assert explorer.picture.alt == before


@EXPLORER
def test_it_says_that_it_shows_the_students_function(number):
    alt = MAKERS[number]().picture.alt
    if number != "06":  # an untrained model may write nothing
        assert "shown: your " in alt
        assert "stand-in" not in alt


@EXPLORER
def test_a_blank_function_gets_a_stand_in_that_can_be_moved(number):
    explorer = BLANK[number]()
    assert "stand-in until yours works" in explorer.picture.alt
    assert "not written yet" in explorer.picture.alt
    before = explorer.picture.alt
    name, value = MOVES[number]
    explorer.widgets[name].value = min(value, 2) if name == "number" else value
    assert explorer.picture.alt != before
    assert len(png(explorer.picture)) > 1000


@EXPLORER
def test_a_look_leaves_the_random_numbers_alone(number):
    explorer = MAKERS[number]()
    torch.manual_seed(5)
    wanted = torch.rand(3)
    torch.manual_seed(5)
    name, value = MOVES[number]
    explorer.widgets[name].value = value
    assert torch.equal(torch.rand(3), wanted)


def test_a_model_that_draws_random_numbers_leaves_them_alone():
    class Noisy(nn.Module):
        def forward(self, images):
            return torch.rand(3)

    torch.manual_seed(5)
    wanted = torch.rand(3)
    torch.manual_seed(5)
    widgets.explore_image_attention(Noisy(), torch.zeros(2, 1, 8, 8)).move(number=0)
    assert torch.equal(torch.rand(3), wanted)


@EXPLORER
def test_a_grader_gets_nothing_and_waits_for_nothing(number, grader):
    explorer = MAKERS[number]() if number in ("01", "02") else BLANK[number]()
    explorer._draw = blank  # drawing would raise
    explorer._ipython_display_()
    assert grader.shown == []


@EXPLORER
def test_a_reader_gets_one_picture_and_how_it_is_set(number, reader):
    explorer = BLANK[number]()
    explorer._ipython_display_()
    settings, picture = reader.shown
    assert settings["text/plain"].startswith("Drawn with ")
    assert picture is explorer.picture


def test_a_person_gets_controls_and_a_picture_that_follows_them(screen):
    explorer = MAKERS["02"]()
    explorer._ipython_display_()
    controls, stand_in, picture = screen.shown
    assert "application/vnd.jupyter.widget-view+json" in controls
    assert stand_in["text/plain"].startswith("Drawn with β: 1, d_k: 16, divide the scores by √d_k: yes.")
    assert picture is explorer.picture
    explorer.widgets["d_k"].value = 256
    drawn, settings = screen.updates
    assert drawn is explorer.picture is not picture
    assert "d_k: 256" in settings["text/plain"]


def test_the_students_numbers_are_what_is_drawn():
    flat = widgets.explore_softmax(lambda x, dim: torch.full_like(x, 1 / x.shape[dim]))
    assert "weights 0.17, 0.17, 0.17, 0.17, 0.17, 0.17, entropy 2.58 bits" in flat.picture.alt
    assert "shown: your softmax" in flat.picture.alt


@pytest.mark.parametrize(
    ("softmax", "reason"),
    [
        (lambda x, dim: x.sum(dim), r"it returns shape (41), expected (41, 6)"),
        (lambda x, dim: None, "it returns NoneType, expected a tensor"),
        (lambda x, dim: x / 0 * 0, "some of its numbers are not finite"),
        (lambda x: x, "it stops with TypeError"),
    ],
)
def test_a_function_that_does_not_work_is_told_apart(softmax, reason):
    assert f"stand-in until yours works (softmax: {reason})" in widgets.explore_softmax(softmax).picture.alt


def test_some_functions_may_work_and_others_not():
    explorer = widgets.explore_masks(blank, blank, torch.logical_or, blank)
    assert (
        "your combine_masks, and a stand-in until the rest works (create_look_ahead_mask: it is" in explorer.picture.alt
    )
    explorer.move(lookback=2)
    assert "streaming_mask: it is not written yet" in explorer.picture.alt


def test_a_small_base_is_cut_from_a_wider_table():
    asked = []

    def table(max_len, d_model):
        asked.append((max_len, d_model))
        return torch.zeros(max_len, d_model)

    explorer = widgets.explore_positions(table)
    explorer.move(times=2)
    assert asked == [(64, 64)]
    assert "base 100" in explorer.picture.alt


def test_text_that_cannot_be_read_keeps_the_picture_and_says_why():
    explorer = MAKERS["01"]()
    before = explorer.picture
    explorer.widgets["keys"].value = "1 0\n2 x"
    assert explorer.picture is before
    assert explorer.note == "keys, line 2: '2 x' cannot be read, expected numbers such as 1 0.5 -2"
    explorer.widgets["keys"].value = "1 0\n2 2"
    assert explorer.note == ""
    assert explorer.picture is not before


@pytest.mark.parametrize("text", ["", "1 0 0", "nan 1", "1e9 0", "1 0\n" * 9])
def test_fields_refuse_what_cannot_be_drawn(text):
    explorer = MAKERS["01"]()
    explorer.move(keys=text)
    assert "expected" in explorer.note


def test_a_blocked_key_gets_no_weight():
    explorer = MAKERS["01"]()
    explorer.move(blocked=0)
    assert "query 0 gives key 0" not in explorer.picture.alt
    assert "key 0 is blocked" in explorer.picture.alt


def test_prints_of_a_students_function_stay_out_of_the_way(capsys):
    def chatty(x, dim):
        print("hello")
        return torch.softmax(x, dim)

    assert "your softmax" in widgets.explore_softmax(chatty).picture.alt
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("training", [True, False])
def test_a_model_keeps_its_mode(training):
    model = nn.Sequential(nn.Flatten(), nn.Linear(64, 10)).train(training)
    widgets.explore_image_attention(model, torch.rand(2, 1, 8, 8)).move(number=1)
    assert model.training is training


@EXPLORER
def test_no_word_is_cut_off_at_the_edge(number):
    picture = MAKERS[number]().picture
    FigureCanvasAgg(picture).draw()
    drawn = picture.get_tightbbox()  # in inches, of all that is drawn
    width, height = picture.get_size_inches()
    assert drawn.x0 >= 0
    assert drawn.y0 >= 0
    assert drawn.x1 <= width
    assert drawn.y1 <= height


def test_pictures_know_their_size_and_stay_small():
    data, metadata = MAKERS["05"]().picture._repr_mimebundle_()
    assert metadata["image/png"]["width"] <= 1280
    assert len(data["image/png"]) < 120_000
