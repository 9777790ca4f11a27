"""What runs in parallel, what does not, and what that costs."""

import torch

from autograder.exam_types import ChooseExam, ExperimentExam, NumberCriterion, Option
from autograder.exam_types.exam import Criterion, Misconception

N, D = 24, 16
NAMES = ("steps_rnn", "steps_attention", "path_rnn", "path_attention", "crossover")


def _numbers(*values: float) -> dict[str, float]:
    return dict(zip(NAMES, values, strict=True))


rnn_or_attention = ExperimentExam(
    exercise="rnn_or_attention",
    covers=("Bt1", "D1.4a"),
    numbers=NAMES,
    truth=_numbers(N, 1, N, 1, D),
    criteria=(
        NumberCriterion(
            "steps that must wait for each other", 1, NAMES[:2], hint="How many turns has the loop? Is there a loop?"
        ),
        NumberCriterion(
            "steps from the first token to the last output",
            1,
            NAMES[2:4],
            absolute=1,
            hint="Through how many steps does the first token pass before the last output knows of it?",
        ),
        NumberCriterion(
            "the length at which both cost the same",
            1,
            ("crossover",),
            absolute=1,
            hint="Count for several n: where do the two numbers agree?",
        ),
    ),
    misconceptions=(
        Misconception("two-networks-changed-places", "Your two networks are swapped.", _numbers(1, N, 1, N, D)),
        Misconception(
            "count-step-attention-token-tokens",
            "You count a step of attention for each token: all tokens are compared at once, in one product.",
            _numbers(N, N, N, 1, D),
        ),
        Misconception(
            "attention-no-token-further-step",
            "In attention no token is further than one step: the last query attends to the first key directly.",
            _numbers(N, 1, N, N, D),
        ),
        Misconception(
            "rnn-first-token-long-way",
            "In the RNN the first token has a long path: it passes through every state up to the last.",
            _numbers(N, 1, 1, 1, D),
        ),
        Misconception("n-d-n-d-n", "n² d and n d² are equal at n = d, not at n = d².", _numbers(N, 1, N, 1, D**2)),
        Misconception("n-d-n-d-n-2", "n² d and n d² are equal at n = d, not at n = √d.", _numbers(N, 1, N, 1, D**0.5)),
    ),
    accepted=(
        [N, 1, N, 1, D],
        torch.tensor([24.0, 1.0, 24.0, 1.0, 16.0]),
        _numbers(24.0, 1.0, 24.0, 1.0, 17),
        {"crossover": torch.tensor(15.5), "path_attention": 1, "path_rnn": 24, "steps_attention": 1, "steps_rnn": 24},
    ),
    shortcuts=(
        dict.fromkeys(NAMES, 1),
        dict.fromkeys(NAMES, N),
        dict.fromkeys(NAMES, D),
        dict.fromkeys(NAMES, 0),
        _numbers(N, N, N, N, N * D),
    ),
)

what_runs_in_parallel = ChooseExam(
    exercise="what_runs_in_parallel",
    covers=("Bt9", "Bt8"),
    criteria=(Criterion("the true statements", 3),),
    options={
        "A": Option(True, "the whole shifted target is known, and the mask hides what each position may not see."),
        "B": Option(False, "a token must be generated before it can be an input: decoding goes step by step."),
        "C": Option(True, "the source is known from the start, in training and afterwards."),
        "D": Option(False, "it sees 0 to i of the shifted input, its own position included: only earlier targets."),
        "E": Option(True, "a cache saves work within a step; the next step still waits for its token."),
        "F": Option(False, "without the mask a parallel training pass would show each position its answer."),
        "G": Option(True, "sequences of a batch never wait for each other, only tokens of one sequence do."),
    },
    accepted=("aceg", "G, E, C, A", ["A", "C", "E", "G"], {"A", "C", "E", "G"}),
    shortcuts=("ABCDEFG", *"ABCDEFG"),
)
