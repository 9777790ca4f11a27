"""Two counterexamples about order: self-attention is not invariant, and without positions it is blind to order."""

import torch

from autograder.exam_types import CounterexampleExam
from autograder.exam_types.exam import Criterion, Misconception

SAME_INDEX = "You swap a token with itself, so nothing moves. Name two different tokens."
EQUAL_TOKENS = "Your two tokens are equal, so swapping them changes nothing. Choose two that differ."
SATURATED = "Both tokens attend to one and the same token alone, so they get the same output. Use smaller numbers."
FAINT = "Your two tokens differ so little that their outputs agree up to rounding. Choose two that differ more."


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
        (100 * torch.eye(2), 0, 1),
        (torch.eye(3), -1, 0),
    ),
    shortcuts=((torch.ones(2, 2), 0, 1), (torch.zeros(2, 2), 0, 1), (torch.eye(2), 0, 0)),
)

SAME_SENTENCE = "Your sentences are the same, word for word. Put the words of one in another order."
OTHER_WORDS = "Your sentences do not have the same words. Use each row of the first exactly once in the second."
OTHER_COUNTS = "One word occurs more often in one sentence than in the other. Use each row equally often."
OTHER_FEATURES = "You reorder the features, which makes other words. Reorder the rows, which are the words."


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
    shortcuts=((torch.zeros(2, 2), torch.zeros(2, 2)), (torch.eye(2), torch.eye(2)), (torch.eye(2), torch.ones(2, 2))),
)
