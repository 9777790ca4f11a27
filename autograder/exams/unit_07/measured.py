"""Experiments: what each family sees, and how well the two read the story."""

import torch

from autograder.exam_types import ExperimentExam, NumberCriterion
from autograder.exam_types.exam import Misconception

SIDES = ("encoder, left", "encoder, right", "decoder, left", "decoder, right")
# Ten places in a circle, eight letters. A decoder's first place has its left neighbour in the future, and its last
# place has its right neighbour, place 0, in the past; where it cannot see it guesses one of eight.
LEFT, RIGHT = (9 + 1 / 8) / 10, (1 + 9 / 8) / 10


def _sides(*values: float) -> dict[str, float]:
    return dict(zip(SIDES, values, strict=True))


neighbours_seen = ExperimentExam(
    exercise="neighbours_seen",
    covers=("E4b",),
    numbers=SIDES,
    between=(0, 1),
    truth=_sides(1, 1, LEFT, RIGHT),
    criteria=(
        NumberCriterion("what the encoder-only model finds", 1, SIDES[:2], absolute=0.03),
        NumberCriterion(
            "what the decoder-only model finds",
            2,
            SIDES[2:],
            absolute=0.035,
            hint="Which of the ten places can see the neighbour asked for, and what can the others do but guess?",
        ),
    ),
    misconceptions=(
        Misconception(
            "decoder-finds-every-neighbour-sees",
            "Your decoder finds every neighbor, so it sees the future: does DecoderOnly use its mask?",
            _sides(1, 1, 1, 1),
        ),
        Misconception(
            "two-sides-swapped-decoder", "Your two sides are swapped for the decoder.", _sides(1, 1, RIGHT, LEFT)
        ),
        Misconception(
            "handed-percent", "You handed in percent: an accuracy lies between 0 and 1.", _sides(100, 100, 91.25, 21.25)
        ),
        Misconception(
            "take-decoders-right-side-pure",
            "You take the decoder's right side for pure guessing, but one of the ten positions sees its neighbor, "
            "because the positions form a circle.",
            _sides(1, 1, LEFT, 0.125),
        ),
        Misconception(
            "take-decoders-left-side-perfect",
            "You take the decoder's left side for perfect, but its first position has no past: its neighbor is the "
            "last one.",
            _sides(1, 1, 1, RIGHT),
        ),
        Misconception(
            "encoder-not-see-right-side",
            "Your encoder doesn't see its right side: does EncoderOnly mask the future?",
            _sides(LEFT, RIGHT, LEFT, RIGHT),
        ),
    ),
    accepted=(
        [1.0, 0.999, 0.913, 0.21],
        _sides(1, 0.99, 0.92, 0.22),
        torch.tensor([1.0, 1.0, 0.9, 0.2]),
        dict(zip(SIDES, (torch.tensor(1.0), 1, 0.905, 0.215), strict=True)),
    ),
    shortcuts=(
        dict.fromkeys(SIDES, 1.0),
        dict.fromkeys(SIDES, 0.5),
        dict.fromkeys(SIDES, 0.125),
        _sides(1, 1, 1, 0),
        _sides(1, 1, 1, 0.125),
    ),
)

LOSSES = ("counting", "decoder", "encoder")
COUNTING, DECODER, ENCODER = 2.93, 1.73, 1.72


def _losses(*values: float) -> dict[str, float]:
    return dict(zip(LOSSES, values, strict=True))


story_losses = ExperimentExam(
    exercise="story_losses",
    covers=("A10",),
    numbers=LOSSES,
    truth=_losses(COUNTING, DECODER, ENCODER),
    criteria=(
        NumberCriterion("the loss of counting", 1, ("counting",), absolute=0.03),
        NumberCriterion("the decoder-only model on the end of the story", 1.5, ("decoder",), absolute=0.25),
        NumberCriterion("the encoder-only model on the end of the story", 1.5, ("encoder",), absolute=0.3),
    ),
    misconceptions=(
        Misconception(
            "decoder-far-too-good",
            "Your decoder is far too good: it sees the character it should predict. Does its mask hide the future, "
            "and are the labels shifted by one?",
            _losses(COUNTING, 0.1, ENCODER),
        ),
        Misconception(
            "encoder-far-too-good",
            "Your encoder is far too good: it is scored on characters that it can see. Are the labels −100 there?",
            _losses(COUNTING, DECODER, 0.3),
        ),
        Misconception(
            "models-hardly-better-even-guess",
            "Your models are hardly better than guessing evenly among all characters: hand in the losses after "
            "training.",
            _losses(COUNTING, 4.0, 4.0),
        ),
        Misconception(
            "handed-exp-loss-number-characters",
            "You handed in exp(loss), the perplexity: hand in the loss itself.",
            _losses(18.7, 5.64, 5.58),
        ),
        Misconception(
            "handed-bits-use-log-loss",
            "You handed in bits (log₂): cross-entropy is in nats.",
            _losses(4.22, 2.50, 2.48),
        ),
    ),
    accepted=(
        [2.928, 1.76, 1.70],
        _losses(2.93, 1.6, 1.85),
        torch.tensor([2.928, 1.85, 1.6]),
        dict(zip(LOSSES, (2.92787, torch.tensor(1.72), 1.75), strict=True)),
    ),
    shortcuts=(
        dict.fromkeys(LOSSES, 0.0),
        dict.fromkeys(LOSSES, 1.0),
        dict.fromkeys(LOSSES, 2.9),
        dict.fromkeys(LOSSES, 3.93),
        _losses(2.9, 3.93, 3.93),
    ),
)
