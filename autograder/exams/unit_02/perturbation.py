"""What moves when a key or a query does."""

import torch

from autograder.exam_types import CounterexampleExam, ExperimentExam, NumberCriterion
from autograder.exam_types.exam import Criterion, Misconception

N_Q, N_K = 5, 4
KEY, QUERY = ("outputs, one key", "weights, one key"), ("outputs, one query", "weights, one query")
SIZES = "There are 5 queries and 4 keys: 20 weights in all."
TRUTH = dict(zip(KEY + QUERY, (N_Q, N_Q * N_K, 1, N_K), strict=True))


def _meaning(name: str, number: float) -> str:
    if name in KEY:
        return "Every query looks at the key that moves, and each row of weights must still sum to 1."
    return "A query makes its own row of weights, one for each of 4 keys, and its own output."


what_moves = ExperimentExam(
    exercise="what_moves",
    covers=("D1.1e", "D1.1f"),
    numbers=KEY + QUERY,
    truth=TRUTH,
    criteria=(
        NumberCriterion("one key moves", 1, KEY, hint=SIZES, reading=_meaning),
        NumberCriterion("one query moves", 1, QUERY, hint=SIZES, reading=_meaning),
        NumberCriterion("the difference between the two", 1, KEY + QUERY, whole=True),
    ),
    misconceptions=(
        Misconception(
            "key-no-row-own",
            "You count one row for a key. A key has a column in A, and through the normalization every row changes.",
            TRUTH | {"outputs, one key": 1, "weights, one key": N_K},
        ),
        Misconception(
            "not-only-keys-own-column",
            "You count the key's own column only. Each row must still sum to 1, so its other weights move too.",
            TRUTH | {"weights, one key": N_Q},
        ),
        Misconception(
            "only-output-claimed-move-every",
            "You count one output for a key, but every query attends to it.",
            TRUTH | {"outputs, one key": 1},
        ),
        Misconception(
            "query-makes-own-row-no",
            "You count other rows for a query. It makes its own row of A only, so the other outputs stay.",
            TRUTH | {"outputs, one query": N_Q, "weights, one query": N_Q * N_K},
        ),
        Misconception(
            "moved-query-changes-weights-row",
            "You count one weight for a query. It changes all the weights of its row, one for each key.",
            TRUTH | {"weights, one query": 1},
        ),
        Misconception(
            "count-keys-there-output-5",
            "You count keys; expected outputs, one for each of the 5 queries.",
            TRUTH | {"outputs, one key": N_K},
        ),
    ),
    accepted=(
        [5, 20, 1, 4],
        (5.0, 20.0, 1.0, 4.0),
        torch.tensor([5, 20, 1, 4]),
        {name: torch.tensor(number) for name, number in TRUTH.items()},
    ),
    shortcuts=([N_Q, N_Q * N_K, N_Q, N_Q * N_K], [1, N_K, 1, N_K], [0] * 4, [1] * 4, [N_Q, N_K, N_Q, N_K]),
)

POSITIVE = "Your score is positive, and doubling makes it larger. Choose a query that points away from the key."
ZERO = "Your score is 0, and twice 0 is 0. Choose a query with a negative score."
ALONE = "You have only one key, which gets all the weight whatever its score. Add another."
LOST = "Your scores are so far apart that the weight is 0 or 1 before and after. Use smaller numbers."


scaling_a_key_can_lower_its_weight = CounterexampleExam(
    exercise="scaling_a_key_can_lower_its_weight",
    covers=("D1.1g",),
    parts=("matrix", "matrix", "index", "index"),
    example=lambda: (-torch.ones(2, 3), torch.ones(2, 3), 0, 1),
    criteria=(Criterion("the weight falls", 2),),
    misconceptions=(
        Misconception("positive", POSITIVE, (torch.ones(2, 3), torch.ones(2, 3), 0, 1)),
        Misconception("positive", POSITIVE, (torch.eye(3), torch.eye(3), 1, 1)),
        Misconception("zero", ZERO, (torch.eye(3), torch.eye(3), 0, 1)),
        Misconception("alone", ALONE, (-torch.ones(1, 2), torch.ones(1, 2), 0, 0)),
        Misconception("lost", LOST, (-1000 * torch.ones(2, 2), torch.tensor([[1.0, 1.0], [-1.0, -1.0]]), 0, 0)),
    ),
    accepted=(
        (torch.eye(2), -torch.eye(2), 0, 0),
        [torch.tensor([[1], [2]]), torch.tensor([[-1], [3]]), torch.tensor(1), 0],
        (torch.tensor([[0.5, -1.0], [2.0, 2.0]], dtype=torch.float64), torch.tensor([[0.1, 0.1], [1.0, 0.0]]), 0, 0),
        (-torch.ones(4, 5), torch.ones(4, 5), 3, 2),
    ),
    shortcuts=(
        (torch.ones(2, 2), torch.ones(2, 2), 0, 0),
        (torch.zeros(2, 2), torch.zeros(2, 2), 0, 0),
        (torch.eye(2), torch.eye(2), 0, 0),
    ),
)
