"""What two heads can do at once and one cannot: look in two directions and take the difference."""

import torch

from autograder.exam_types import ExperimentExam, NumberCriterion
from autograder.exam_types.exam import Misconception

NAMES = ("one_head", "two_heads", "best_one_head")
# One head weighs both neighbours with positive numbers and one matrix, so it can follow one of them, not their
# difference: half of the target's variance remains. Trained modules come within 0.02 of both numbers.
TRUTH = {"one_head": 0.5, "two_heads": 0.0, "best_one_head": 0.5}

two_heads_at_once = ExperimentExam(
    exercise="two_heads_at_once",
    covers=("D1.4c", "Bt7"),
    numbers=NAMES,
    truth=TRUTH,
    criteria=(
        NumberCriterion("measured with one head", 0.25, ("one_head",), absolute=0.06),
        NumberCriterion("measured with two heads", 0.25, ("two_heads",), absolute=0.04),
        NumberCriterion("the difference between the two", 1.5, ("one_head", "two_heads"), absolute=0.06, whole=True),
        NumberCriterion(
            "the smallest fraction that any one head can reach",
            1,
            ("best_one_head",),
            absolute=0.021,
            hint="Can one row of weights, all of them positive, follow one neighbor with + and the other with −?",
        ),
    ),
    misconceptions=(
        Misconception(
            "two-numbers-changed-places",
            "Your two numbers have changed places: two heads leave almost nothing.",
            {"one_head": 0.0, "two_heads": 0.5, "best_one_head": 0.5},
        ),
        Misconception(
            "handed-error-itself-divide-mean",
            "You report the error itself. Divide it by the mean square of the target, which is 2.",
            {"one_head": 1.0, "two_heads": 0.0, "best_one_head": 0.5},
        ),
        Misconception(
            "handed-percent",
            "You report percent; the fraction that remains is between 0 and 1.",
            {"one_head": 50.0, "two_heads": 0.0, "best_one_head": 50.0},
        ),
        Misconception(
            "handed-share-explained-asked-share",
            "You report the fraction that is explained; expected the one that remains, 1 minus it.",
            {"one_head": 0.5, "two_heads": 1.0, "best_one_head": 0.5},
        ),
        Misconception(
            "no-training-brings-head-0",
            "You report 0 for the best single head. Its weights are positive and share one matrix W_v, so it cannot "
            "take one neighbor with + and the other with −.",
            {"one_head": 0.5, "two_heads": 0.0, "best_one_head": 0.0},
        ),
        Misconception(
            "head-better-nothing",
            "You report 1 for the best single head, as if it did nothing. It can follow one of the two neighbors "
            "exactly. How much of the target is that?",
            {"one_head": 0.5, "two_heads": 0.0, "best_one_head": 1.0},
        ),
    ),
    accepted=(
        {"one_head": 0.507, "two_heads": 0.0001, "best_one_head": 0.5},
        [0.49, 0.002, 0.5],
        torch.tensor([0.53, 0.01, 0.5]),
        {"one_head": torch.tensor(0.51), "two_heads": 3e-6, "best_one_head": 1 / 2},
    ),
    shortcuts=tuple([constant] * 3 for constant in (0.0, 0.5, 1.0, 2.0)),
)
