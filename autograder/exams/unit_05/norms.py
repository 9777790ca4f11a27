"""Layer normalisation, and what padding does to it and to batch normalisation."""

import torch
from torch import Tensor, nn

from autograder.exam_types import ExperimentExam, ModuleCriterion, ModuleExam, NumberCriterion
from autograder.exam_types.draw import Arguments, Draw
from autograder.exam_types.exam import Misconception
from autograder.exams.unit_04.heads import small_sizes
from autograder.exams.unit_05 import norm_variants as variant
from course_lib.nn.norm import LayerNorm


def _tokens(draw: Draw) -> tuple[Arguments, list[Tensor]]:
    b, n, d, _ = small_sizes(draw)
    # features that lie apart, so that no token is nearly constant and the usual eps never decides
    return [d], [draw.normal(b, n, d) / 2 + 1.5 * torch.arange(d)]


def _one_sequence(draw: Draw) -> tuple[Arguments, list[Tensor]]:
    sizes, (x,) = _tokens(draw)
    return sizes, [x[0]]


def _large_eps(draw: Draw) -> tuple[Arguments, list[Tensor]]:
    """An eps that can be seen: where it stands, and that it is used at all."""
    (d,), (x,) = _tokens(draw)
    return [d, 0.5], [x]


def _small_numbers(draw: Draw) -> tuple[Arguments, list[Tensor]]:
    """A variance far below the usual eps, which then decides, whatever it is."""
    sizes, (x,) = _tokens(draw)
    return sizes, [x * 3e-6]


layer_norm = ModuleExam(
    exercise="LayerNorm",
    covers=("Bt6",),
    module=LayerNorm,
    outputs=("output",),
    forbidden=("torch.nn.LayerNorm", "torch.nn.functional.layer_norm", "torch.layer_norm"),
    criteria=(
        ModuleCriterion("each token is normalised, then scaled and shifted", 1, _tokens),
        ModuleCriterion("a new module: gain 1, shift 0", 0.5, _tokens, fresh=True),
        ModuleCriterion("eps under the root", 0.25, _large_eps),
        ModuleCriterion("an eps of 1e-5 where none is given", 0.25, _small_numbers),
        ModuleCriterion("any leading dimensions", 0.5, _one_sequence),
        ModuleCriterion("gradients reach x", 0.5, _tokens, "gradients", side=True),
    ),
    misconceptions=(
        Misconception(
            "unbiased",
            "You divide the variance by d − 1, which is what var() and std() do by default: pass unbiased=False.",
            variant.Unbiased,
            hint="which variance",
        ),
        Misconception(
            "eps-outside",
            "You add eps to the standard deviation: add it to the variance, under the root.",
            variant.EpsOutside,
            hint="gain, shift, eps",
        ),
        Misconception(
            "std-plus-eps",
            "You divide by x.std() + eps, as the Annotated Transformer does. Here the variance is divided by d "
            "(unbiased=False), and eps is added under the root.",
            variant.StdPlusEps,
            hint="gain, shift, eps",
        ),
        Misconception(
            "std-plus-eps",
            "You divide by x.std() + eps, as the Annotated Transformer does. Here the variance is divided by d "
            "(unbiased=False), and eps is added under the root.",
            variant.StdPlusSmallEps,
            hint="gain, shift, eps",
        ),
        Misconception(
            "over-first-dimension",
            "You normalize over dim=0, the batch: normalize each token over its own features, dim=-1.",
            variant.OverFirstDimension,
            hint="which dimension",
        ),
        Misconception(
            "over-tokens-and-features",
            "You normalize over tokens and features together: each token has its own mean and variance, dim=-1.",
            variant.OverTokensAndFeatures,
            hint="which dimension",
        ),
        Misconception(
            "one-gain",
            "You have one gain and one shift for all features; expected one for each, (d,).",
            variant.OneGain,
            hint="gain, shift, eps",
        ),
        Misconception(
            "no-eps",
            "You divide without the eps that your constructor was given: add it to the variance, under the root.",
            variant.NoEps,
            hint="gain, shift, eps",
        ),
        Misconception("own-eps", "Your default eps is 1e-12, expected 1e-5.", variant.OwnEps, hint="gain, shift, eps"),
        Misconception(
            "small-eps", "Your default eps is 1e-6, expected 1e-5.", variant.SmallEps, hint="gain, shift, eps"
        ),
        Misconception(
            "root-mean-square",
            "This is RMSNorm, as in Llama: it doesn't subtract the mean. Layer normalization does.",
            variant.RootMeanSquare,
            hint="which variance",
        ),
        Misconception(
            "over-tokens",
            "You normalize over the tokens of a sequence: normalize each token over its own features, dim=-1.",
            variant.OverTokens,
            hint="which dimension",
        ),
        Misconception(
            "over-batch",
            "You normalize over the batch, as batch norm does: normalize each token over its own features, dim=-1.",
            variant.OverBatch,
            hint="which dimension",
        ),
        Misconception(
            "over-all",
            "You use one mean and variance for the whole tensor: each token has its own, over its features, dim=-1.",
            variant.OverAll,
            hint="which dimension",
        ),
        Misconception(
            "by-variance",
            "You divide by the variance: divide by its square root.",
            variant.ByVariance,
            hint="which variance",
        ),
        Misconception("not-centred", "You don't subtract the mean.", variant.NotCentred, hint="which variance"),
        Misconception(
            "without-gain", "Your gain and shift are never used.", variant.WithoutGain, hint="gain, shift, eps"
        ),
        Misconception(
            "shift-first",
            "You add the shift before you multiply by the gain: multiply first.",
            variant.ShiftFirst,
            hint="gain, shift, eps",
        ),
    ),
    accepted=(
        variant.ByStatistics,
        variant.ByMoments,
        variant.ByDoubleMean,
        variant.ByBuiltInStd,
        variant.WithWeightAndBias,
    ),
)

NAMES = ("batch_norm, padding", "layer_norm, padding", "batch_norm, neighbour", "layer_norm, neighbour")


def _measured(sentence: int = 0) -> dict[str, float]:
    """The experiment of the notebook, with the reference."""
    torch.manual_seed(0)
    x = torch.randn(2, 4, 6) + 2
    other = x.clone()
    other[1] = 3 * torch.randn(4, 6)
    padded = torch.cat([x, torch.zeros(2, 8, 6)], 1)
    batch = nn.BatchNorm1d(6)
    norms = (lambda t: batch(t.flatten(0, 1)).reshape(t.shape), LayerNorm(6))
    with torch.no_grad():
        found = [
            (norm(y)[sentence, :4] - norm(x)[sentence]).abs().mean().item() for y in (padded, other) for norm in norms
        ]
    return dict(zip(NAMES, found, strict=True))


TRUTH = _measured()
OF_THE_NEIGHBOUR = _measured(1)
PADDING, NEIGHBOUR = TRUTH[NAMES[0]], TRUTH[NAMES[2]]

padding_and_norms = ExperimentExam(
    exercise="padding_and_norms",
    covers=("Bt6",),
    numbers=NAMES,
    truth=TRUTH,
    criteria=(
        NumberCriterion(
            "batch norm: the changes of sentence 0",
            1.5,
            (NAMES[0], NAMES[2]),
            absolute=0.02,
            hint="Both compare the four real tokens of sentence 0, before and after.",
        ),
        NumberCriterion("layer norm: the changes of sentence 0", 0.5, (NAMES[1], NAMES[3]), absolute=0.02),
    ),
    misconceptions=(
        Misconception(
            "batch-norm-takes-mean-variance",
            "Batch norm takes its mean and variance over all tokens of the batch, padding and neighbor included, so it "
            "does change: measure it with `change`.",
            dict.fromkeys(NAMES, 0.0),
        ),
        Misconception(
            "layer-norm-cannot-change-when",
            "Layer norm can't change when another token does: its mean and variance are those of one token's features.",
            TRUTH | {NAMES[1]: PADDING, NAMES[3]: NEIGHBOUR},
        ),
        Misconception(
            "swapped-two-experiments",
            "Your two experiments are swapped: padding comes first, then the neighbor.",
            dict(zip(NAMES, (NEIGHBOUR, 0.0, PADDING, 0.0), strict=True)),
        ),
        Misconception(
            "looked-sentence-1-replaced",
            "You compared sentence 1, which was replaced: compare sentence 0, whose tokens didn't change.",
            TRUTH | {name: OF_THE_NEIGHBOUR[name] for name in NAMES[2:]},
        ),
        Misconception(
            "neighbour-batch-changes-batch-norm",
            "A neighbor in the batch changes batch norm as well: its statistics are those of the whole batch.",
            TRUTH | {NAMES[2]: 0.0},
        ),
    ),
    accepted=(
        TRUTH,
        list(TRUTH.values()),
        torch.tensor(list(TRUTH.values())),
        {name: round(number, 2) for name, number in TRUTH.items()},
    ),
    shortcuts=(
        dict.fromkeys(NAMES, 0.0),
        dict.fromkeys(NAMES, 1.0),
        dict(zip(NAMES, (1.0, 0.0, 1.0, 0.0), strict=True)),
        dict(zip(NAMES, (0.5, 0.0, 0.5, 0.0), strict=True)),
    ),
)
