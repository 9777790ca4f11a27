"""The linear map from one position to another, and the dot products of positions."""

import math
from functools import partial

import torch

from autograder.exam_types import CodeCriterion, CodeExam, ExperimentExam, NumberCriterion
from autograder.exam_types.draw import Draw
from autograder.exam_types.exam import Misconception
from course_lib.nn.positions import sinusoidal


def _forward(draw: Draw) -> list[int]:
    k, half = draw.sizes(2)
    return [k, 2 * half]


def _backward(draw: Draw) -> list[int]:
    k, half = draw.sizes(2)
    return [-k, 2 * half]


def _flawed_shift(k, d_model, *, turn="forward", frequency="pairs", layout="pairs", block="both", step="k"):
    i = torch.arange(d_model // 2, dtype=torch.float64)
    exponents = {"pairs": 2 * i / d_model, "one": 0 * i, "twice": 4 * i / d_model, "half": i / d_model}
    angles = {"k": k, "one": 1, "size": abs(k)}[step] * 10000.0 ** -exponents[frequency]
    sin, cos = angles.sin() * {"forward": 1, "backward": -1, "mirror": 1}[turn], angles.cos()
    lower = {"forward": -sin, "backward": -sin, "mirror": sin}[turn]
    if block == "cosines":
        sin, lower = 0 * sin, 0 * lower
    if layout == "halves":
        D = torch.diag
        return torch.cat([torch.cat([D(cos), D(sin)], 1), torch.cat([D(lower), D(cos)], 1)]).float()
    return torch.block_diag(*torch.stack([cos, sin, lower, cos], -1).unflatten(-1, (2, 2))).float()


def _alone(**options):
    """A slip that is tried by itself, not together with others."""
    return lambda k, d_model: _flawed_shift(k, d_model, **options)


def _blocks(k, d_model):
    a = k * 10000.0 ** (-torch.arange(0, d_model, 2) / d_model)
    return torch.stack([a.cos(), a.sin(), -a.sin(), a.cos()], -1).unflatten(-1, (2, 2))


def _by_loop(k, d_model):
    M = torch.zeros(d_model, d_model)
    for j in range(0, d_model, 2):
        a = k * 10000 ** (-j / d_model)
        M[j, j] = M[j + 1, j + 1] = math.cos(a)
        M[j, j + 1], M[j + 1, j] = math.sin(a), -math.sin(a)
    return M


def _by_diagonals(k, d_model):
    w = 10000.0 ** (-torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)
    cos, sin = (k * w).cos().repeat_interleave(2), torch.zeros(d_model - 1, dtype=torch.float64)
    sin[0::2] = (k * w).sin()
    return (torch.diag(cos) + torch.diag(sin, 1) - torch.diag(sin, -1)).float()


def _by_one_row_of_the_table(k, d_model):
    row = sinusoidal.sinusoidal_encoding(abs(k) + 1, d_model)[-1]
    sign = 1 if k >= 0 else -1
    return torch.block_diag(
        *[torch.stack([torch.stack([c, sign * s]), torch.stack([-sign * s, c])]) for s, c in row.reshape(-1, 2)]
    )


def _by_exponential(k, d_model):
    w = 10000.0 ** (-torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)
    J = torch.tensor([[0.0, 1.0], [-1.0, 0.0]], dtype=torch.float64)
    return torch.linalg.matrix_exp(k * torch.kron(torch.diag(w), J)).float()


shift_matrix = CodeExam(
    exercise="shift_matrix",
    covers=("B relative",),
    function=sinusoidal.shift_matrix,
    outputs=("M",),
    properties={"M": "sines and cosines"},
    criteria=(
        CodeCriterion("M for k > 0", 2.5, _forward),
        CodeCriterion("M for k < 0", 1, _backward),
        CodeCriterion("M for k = 0", 0.5, lambda draw: [0, _forward(draw)[1]], side=True),
    ),
    misconceptions=(
        Misconception("step-size", "Your matrix ignores the sign of k.", _alone(step="size"), hint="all pairs"),
        Misconception(
            "turn-backward",
            "Your matrix shifts the other way, from pos to pos − k. The minus belongs in the row of the cosine.",
            partial(_flawed_shift, turn="backward"),
            hint="all pairs",
        ),
        Misconception(
            "turn-mirror",
            "Both your sines have the same sign, so a block is no rotation. cos(a + b) has a minus.",
            _alone(turn="mirror"),
            hint="one pair",
        ),
        Misconception(
            "frequency-one",
            "All your blocks rotate by the same angle. Pair i rotates by k times its own frequency.",
            _alone(frequency="one"),
            hint="all pairs",
        ),
        Misconception(
            "frequency-twice",
            "Your exponent has the factor 2 twice; pair i has 2i/d_model.",
            partial(_flawed_shift, frequency="twice"),
            hint="all pairs",
        ),
        Misconception(
            "layout-halves",
            "Your matrix is for a table whose sines all come first. Here each sine is next to its cosine.",
            partial(_flawed_shift, layout="halves"),
            hint="all pairs",
        ),
        Misconception(
            "block-cosines",
            "Your matrix is diagonal. The new sine also needs the old cosine, and the new cosine the old sine.",
            _alone(block="cosines"),
            hint="one pair",
        ),
        Misconception("step-one", "Your matrix ignores k and shifts by 1.", _alone(step="one"), hint="all pairs"),
        Misconception(
            "frequency-half",
            "The factor 2 is missing in your exponent: pair i has 2i/d_model.",
            _alone(frequency="half"),
            hint="all pairs",
        ),
        Misconception(
            "rolls",
            "Your matrix moves the features of one position along. It must rotate each pair of features.",
            lambda k, d_model: torch.eye(d_model).roll(k, 0),
            hint="one pair",
        ),
        Misconception(
            "rolls",
            "Your matrix moves the features of one position along. It must rotate each pair of features.",
            lambda k, d_model: torch.eye(d_model).roll(k, 1),
            hint="one pair",
        ),
        Misconception(
            "blocks-stacked",
            "You return the 2 × 2 blocks in a stack. Put them on the diagonal of one (d_model, d_model) matrix.",
            _blocks,
            hint="all pairs",
        ),
    ),
    accepted=(_by_loop, _by_diagonals, _by_one_row_of_the_table, _by_exponential),
)

PLACES = {"PE[3]·PE[8]": (3, 8), "PE[103]·PE[108]": (103, 108), "PE[8]·PE[3]": (8, 3), "PE[7]·PE[7]": (7, 7)}
RISE = "first rise"


def _products(width: int = 64) -> dict[str, float]:
    table = sinusoidal.sinusoidal_encoding(200, width).double()
    found = {name: (table[p] @ table[q]).item() for name, (p, q) in PLACES.items()}
    by_offset = table @ table[0]
    return found | {RISE: float((by_offset[1:] > by_offset[:-1]).nonzero()[0].item())}


TRUTH = _products()

position_products = ExperimentExam(
    exercise="position_products",
    covers=("B relative",),
    numbers=tuple(TRUTH),
    truth=TRUTH,
    criteria=(
        NumberCriterion("dot products of positions", 2, tuple(PLACES), absolute=0.05, hint="Is d_model 64?"),
        NumberCriterion("the offset at which the dot product first rises again", 1, (RISE,)),
    ),
    misconceptions=(
        Misconception(
            "divided-root-d-model-lengths",
            "You divide by √d_model or by the norms; expected the plain dot product.",
            {name: TRUTH[name] / 32 for name in PLACES} | {RISE: TRUTH[RISE]},
        ),
        Misconception(
            "divided-root-d-model-8",
            "You divide by √d_model = 8; expected the plain dot product.",
            {name: TRUTH[name] / 8 for name in PLACES} | {RISE: TRUTH[RISE]},
        ),
        Misconception("table-d-model-32", "Your table has d_model = 32; expected 64.", _products(32)),
        Misconception("table-d-model-128", "Your table has d_model = 128; expected 64.", _products(128)),
        Misconception(
            "position-itself-gives-64",
            "You give 64 for a position with itself. Each pair gives sin² + cos² = 1, and there are 32 pairs.",
            TRUTH | {"PE[7]·PE[7]": 64.0},
        ),
        Misconception(
            "expect-dot-product-fall-every",
            "You report that the dot product falls with every step; it does so only at first.",
            TRUTH | {RISE: 199.0},
        ),
        Misconception(
            "give-offset-after-step-rises",
            "You give the offset after the step that rises; expected the k with s(k + 1) > s(k).",
            TRUTH | {RISE: TRUTH[RISE] + 1},
        ),
    ),
    accepted=(
        list(TRUTH.values()),
        {name: round(value, 1) for name, value in TRUTH.items()},
        {name: torch.tensor(value) for name, value in TRUTH.items()},
        torch.tensor(list(TRUTH.values())),
    ),
    shortcuts=tuple([constant] * 5 for constant in (0.0, 1.0, 32.0, 64.0)),
)
