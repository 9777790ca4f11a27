"""What the trained Vision Transformer does: on unseen digits, on shuffled patches, and beside a small CNN."""

import torch

from autograder.exam_types import ExperimentExam, NumberCriterion
from autograder.exam_types.exam import Misconception

# Over seeds 0, 1 and 2 of the given recipe: 0.985 … 1.0 on the training images, 0.93 … 0.97 on the others. A number
# that only sounds right, such as 0.95 or 1 for both, is wrong for one of them.
_DIGITS = ("training", "test")


def _digits(training: float, test: float) -> dict[str, float]:
    return dict(zip(_DIGITS, (training, test), strict=True))


digits_accuracy = ExperimentExam(
    exercise="digits_accuracy",
    covers=("D1.5c",),
    numbers=_DIGITS,
    between=(0, 1),
    truth=_digits(0.99, 0.95),
    criteria=(
        NumberCriterion("on the images it was trained on", 1.75, ("training",), absolute=0.015, side=True),
        NumberCriterion(
            "on images it never saw",
            1.25,
            ("test",),
            absolute=0.05,
            hint="Is it the fraction of the 397 test images that are classified correctly, after all 300 steps?",
        ),
    ),
    misconceptions=(
        Misconception(
            "model-guesses-before-training",
            "Your model guesses, as it does before training: measure it afterwards.",
            _digits(0.1, 0.1),
        ),
        Misconception(
            "report-percent-accuracy-lies-between",
            "You report percent: an accuracy lies between 0 and 1.",
            _digits(99, 95),
        ),
        Misconception(
            "report-share-read-wrongly",
            "You report the fraction classified wrongly: subtract it from 1.",
            _digits(0.01, 0.05),
        ),
        Misconception(
            "report-how-many-right",
            "You report how many are right: divide by the number of images.",
            _digits(1380, 378),
        ),
        Misconception(
            "accuracy-model-stopped-learning-early",
            "Your accuracy is that of a model that stopped learning early: are all 300 steps taken?",
            _digits(0.5, 0.5),
        ),
    ),
    accepted=(
        _digits(0.996, 0.972),
        [1.0, 0.96],
        torch.tensor([0.985, 0.932]),
        {"training": torch.tensor(0.978), "test": 0.91},
    ),
    shortcuts=(
        _digits(0.9, 0.9),
        _digits(0.95, 0.95),
        _digits(0.97, 0.95),
        _digits(0.95, 0.9),
        _digits(1, 1),
    ),
)

# Seeds 0, 1, 2: positions 0.93 … 0.97 in order, 0.04 … 0.17 shuffled; without 0.62 … 0.69, shuffled or not, to the
# last digit; trained and tested on shuffled images 0.955 … 0.967.
_SHUFFLED = (
    "positions, in order",
    "positions, shuffled",
    "no positions, in order",
    "no positions, shuffled",
    "positions, trained and tested shuffled",
)


def _shuffled(*values: float) -> dict[str, float]:
    return dict(zip(_SHUFFLED, values, strict=True))


shuffled_patches = ExperimentExam(
    exercise="shuffled_patches",
    covers=("D1.5b",),
    numbers=_SHUFFLED,
    between=(0, 1),
    truth=_shuffled(0.95, 0.1, 0.66, 0.66, 0.95),
    criteria=(
        NumberCriterion("with positions", 1.5, _SHUFFLED[:2], absolute=0.09),
        NumberCriterion(
            "without positions",
            1.5,
            _SHUFFLED[2:4],
            absolute=0.1,
            hint="Without positions, can the class token know in which order the patches came?",
        ),
        NumberCriterion("shuffled the same way all along", 1, _SHUFFLED[4:], absolute=0.06),
    ),
    misconceptions=(
        Misconception(
            "expect-shuffling-no-harm-measure",
            "You expect shuffling to do no harm: measure the model with positions on shuffled test images.",
            _shuffled(0.95, 0.95, 0.66, 0.66, 0.95),
        ),
        Misconception(
            "model-without-positions-them-same",
            "Your model without positions has them all the same: set them to zero and keep them from being trained.",
            _shuffled(0.95, 0.1, 0.95, 0.1, 0.95),
        ),
        Misconception(
            "without-positions-shuffling-changes-nothing",
            "Without positions, shuffling changes nothing at all: are the positions of that model zero?",
            _shuffled(0.95, 0.1, 0.66, 0.1, 0.95),
        ),
        Misconception(
            "models-swapped",
            "Your models are swapped: the one with positions is the better one on images in order.",
            _shuffled(0.66, 0.66, 0.95, 0.1, 0.95),
        ),
        Misconception(
            "trained-shuffled-images-tested-images",
            "You trained on shuffled images but tested on images in order: shuffle both the same way.",
            _shuffled(0.95, 0.1, 0.66, 0.66, 0.08),
        ),
        Misconception(
            "report-percent-accuracy-lies-between",
            "You report percent: an accuracy lies between 0 and 1.",
            _shuffled(95, 10, 66, 66, 95),
        ),
    ),
    accepted=(
        _shuffled(0.972, 0.081, 0.673, 0.673, 0.967),
        [0.96, 0.171, 0.69, 0.69, 0.955],
        torch.tensor([0.932, 0.043, 0.62, 0.62, 0.957]),
        _shuffled(0.93, 0.05, 0.7, 0.7, 0.94),
    ),
    shortcuts=(
        *(dict.fromkeys(_SHUFFLED, constant) for constant in (0.1, 0.5, 0.9, 0.95)),
        _shuffled(0.95, 0.95, 0.95, 0.95, 0.95),
        _shuffled(0.95, 0.5, 0.5, 0.5, 0.5),
    ),
)

# Means of seeds 0, 1 and 2. Over ten seeds, one by one: the CNN 0.72 … 0.84, 0.91 … 0.95, 0.94 … 0.98; the ViT
# 0.59 … 0.78, 0.86 … 0.89, 0.91 … 0.95. By the number of images, so that one accuracy for all earns little.
COUNTS = (50, 200, 1000)
_MODELS = tuple(f"{model} {count}" for model in ("cnn", "vit") for count in COUNTS)


def _compared(*values: float) -> dict[str, float]:
    return dict(zip(_MODELS, values, strict=True))


cnn_against_vit = ExperimentExam(
    exercise="cnn_against_vit",
    covers=("D1.5d",),
    numbers=_MODELS,
    between=(0, 1),
    truth=_compared(0.81, 0.94, 0.96, 0.71, 0.88, 0.93),
    criteria=(
        NumberCriterion("the CNN on 50 images", 0.75, _MODELS[:1], absolute=0.06),
        NumberCriterion("the ViT on 50 images", 0.75, _MODELS[3:4], absolute=0.08),
        NumberCriterion("the CNN on 200 and 1000 images", 1.25, _MODELS[1:3], absolute=0.025),
        NumberCriterion("the ViT on 200 and 1000 images", 1.25, _MODELS[4:], absolute=0.03),
    ),
    misconceptions=(
        Misconception(
            "two-models-changed-places",
            "Your two models are swapped.",
            _compared(0.71, 0.88, 0.93, 0.81, 0.94, 0.96),
        ),
        Misconception(
            "measure-images-trained",
            "You measure on the images you trained on: use the test images.",
            _compared(1, 1, 0.99, 1, 1, 0.99),
        ),
        Misconception(
            "report-percent-accuracy-lies-between",
            "You report percent: an accuracy lies between 0 and 1.",
            _compared(81, 94, 96, 71, 88, 93),
        ),
        Misconception(
            "report-share-read-wrongly-2",
            "You report the fraction classified wrongly: subtract it from 1.",
            _compared(0.19, 0.06, 0.04, 0.29, 0.12, 0.07),
        ),
        Misconception(
            "report-often-read-vi-t-cannot",
            "You report what you can often read, that a ViT can't learn from few images: report what you measure.",
            _compared(0.81, 0.94, 0.96, 0.1, 0.1, 0.5),
        ),
        Misconception(
            "add-accuracies-three-seeds",
            "You add the accuracies of the three seeds: take their mean.",
            _compared(2.43, 2.82, 2.88, 2.13, 2.64, 2.79),
        ),
    ),
    accepted=(
        _compared(0.81, 0.939, 0.965, 0.71, 0.878, 0.932),
        [0.78, 0.92, 0.95, 0.68, 0.87, 0.92],
        torch.tensor([0.84, 0.95, 0.97, 0.75, 0.9, 0.95]),
        _compared(0.8, 0.93, 0.96, 0.69, 0.88, 0.93),
    ),
    shortcuts=(
        *(dict.fromkeys(_MODELS, constant) for constant in (0.1, 0.5, 0.78, 0.9, 0.94, 0.95, 1.0)),
        _compared(0.5, 0.7, 0.9, 0.5, 0.7, 0.9),
    ),
)
