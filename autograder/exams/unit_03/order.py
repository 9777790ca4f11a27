"""Two counterexamples about order: self-attention is not invariant, and without positions it is blind to order."""

import torch

from autograder.exam_types import CounterexampleExam
from autograder.exam_types.exam import Criterion, Misconception

SAME_INDEX = "You swap a token with itself, so nothing moves: name two different tokens."
EQUAL_TOKENS = "The two tokens are equal, so swapping them changes nothing: let them differ."
SATURATED = "Both tokens look at one and the same token alone, so they get one output: use smaller numbers."
FAINT = "The two tokens differ so little that they look at the others alike, up to rounding: let them differ more."


not_invariant = CounterexampleExam(
    exercise="not_invariant",
    covers=("E4a",),
    parts=("matrix", "index", "index"),
    example=lambda: (torch.eye(2), 0, 1),
    criteria=(Criterion("swapping two tokens changes the output", 2),),
    misconceptions=(
        Misconception("same-index", SAME_INDEX, (torch.eye(3), 1, 1)),
        Misconception("equal-tokens", EQUAL_TOKENS, (torch.ones(3, 2), 0, 2)),
        Misconception("equal-tokens", EQUAL_TOKENS, (torch.tensor([[1.0, 2.0], [0.0, 3.0], [1.0, 2.0]]), 2, 0)),
        Misconception("saturated", SATURATED, (torch.tensor([[50.0], [80.0], [900.0]]), 0, 1)),
        Misconception("faint", FAINT, (1e-6 * torch.eye(3), 0, 1)),
        Misconception("faint", FAINT, (torch.tensor([[1.0], [1.0005]]), 1, 0)),
    ),
    accepted=(
        (torch.tensor([[1, 0], [0, 2]]), 1, 0),
        [torch.tensor([[1.0], [2.0], [3.0]]), 0, torch.tensor(2)],
        (torch.tensor([[0.5, -1.0], [2.0, 2.0]], dtype=torch.float64), 0, 1),
        (torch.arange(12.0).reshape(4, 3) / 5, 1, 3),
    ),
)

SAME_SENTENCE = "Both sentences are the same, word for word: put the words of one in another order."
OTHER_WORDS = "The two sentences do not have the same words: use each row of the first exactly once in the second."
OTHER_COUNTS = "One word stands more often in one sentence than in the other: use each row exactly as often."
OTHER_FEATURES = "You reordered the features, which makes other words: reorder the rows, which are the words."


CAT, DOG, ASLEEP = [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.2, 0.2]

same_words = CounterexampleExam(
    exercise="same_words",
    covers=("A1", "Bt5", "E4a"),
    parts=("matrix", "matrix"),
    example=lambda: (torch.tensor([CAT, DOG, ASLEEP]), torch.tensor([DOG, CAT, ASLEEP])),
    criteria=(Criterion("two different sentences that the model cannot tell apart", 2),),
    misconceptions=(
        Misconception("same-sentence", SAME_SENTENCE, (torch.tensor([CAT, DOG]), torch.tensor([CAT, DOG]))),
        Misconception("other-words", OTHER_WORDS, (torch.tensor([CAT, DOG]), torch.tensor([CAT, ASLEEP]))),
        Misconception("other-counts", OTHER_COUNTS, (torch.tensor([CAT, CAT, DOG]), torch.tensor([CAT, DOG, DOG]))),
        Misconception(
            "other-features",
            OTHER_FEATURES,
            (torch.tensor([[1.0, 2.0], [3.0, 5.0]]), torch.tensor([[2.0, 1.0], [5.0, 3.0]])),
        ),
        Misconception("other-words", OTHER_WORDS, (torch.tensor([[1.0, 2.0]]), torch.tensor([[2.0, 4.0]]))),
    ),
    accepted=(
        (torch.tensor([[1, 2], [3, 4]]), torch.tensor([[3, 4], [1, 2]])),
        [torch.eye(4), torch.eye(4).flip(0)],
        (torch.arange(12.0).reshape(4, 3), torch.arange(12.0).reshape(4, 3).roll(1, 0)),
        (torch.tensor([CAT, DOG, CAT], dtype=torch.float64), torch.tensor([DOG, CAT, CAT], dtype=torch.float64)),
    ),
)
