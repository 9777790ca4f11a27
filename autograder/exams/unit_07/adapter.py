"""LoRA: a low-rank update beside a frozen layer."""

from autograder.exam_types import CodeCriterion, CodeExam
from autograder.exam_types.draw import Arguments, Draw
from autograder.exam_types.exam import Misconception
from autograder.exams.unit_07 import adapter_mistakes as wrong
from course_lib.nn.lora import LoRALinear


def _base_and_rank(draw: Draw) -> Arguments:
    rank, d_in, d_out = sorted(draw.sizes(3))
    if draw.uniform(0, 1) < 0.5:
        d_in, d_out = d_out, d_in
    return [draw.normal(d_out, d_in + 1), rank]


ALPHA = (
    "You scale the correction, as the paper and its libraries do by alpha / rank. Here it isn't scaled: add x Aᵀ Bᵀ."
)

lora_linear = CodeExam(
    exercise="LoRALinear",
    covers=("A9",),
    function=LoRALinear,
    outputs=("output",),
    criteria=(
        CodeCriterion("a new layer gives what its base gives", 1, _base_and_rank, "adapter at the start", True),
        CodeCriterion("few numbers are trained, and the base is not", 1, _base_and_rank, "adapter parameters", True),
        CodeCriterion("the correction is x Aᵀ Bᵀ", 1, _base_and_rank, "adapter corrected", True),
        CodeCriterion("training changes the output and leaves the base", 1, _base_and_rank, "adapter trained", True),
        CodeCriterion("merge gives one layer with the same numbers", 1, _base_and_rank, "adapter merged", True),
    ),
    misconceptions=(
        Misconception(
            "starts-random",
            "Neither A nor B starts at zero, so the new layer changes what the base has learned: start B at zero.",
            wrong.StartsRandom,
            hint="two parameters",
        ),
        Misconception(
            "starts-dead",
            "A and B both start at zero, so neither ever gets a gradient: start only B at zero.",
            wrong.StartsDead,
            hint="two parameters",
        ),
        Misconception(
            "base-trained",
            "Your base is trained too: freeze it with requires_grad_(False).",
            wrong.BaseTrained,
            hint="freeze",
        ),
        Misconception(
            "bias-trained",
            "The bias of your base is still trained: freeze all of the base with requires_grad_(False).",
            wrong.BiasTrained,
            hint="freeze",
        ),
        Misconception(
            "biases-beside",
            "Your A and B are nn.Linear layers with a bias, which is trained too: pass bias=False.",
            wrong.BiasesBeside,
            hint="two parameters",
        ),
        Misconception(
            "without-base",
            "You leave out the base: the correction is added to its output.",
            wrong.WithoutBase,
            hint="two parameters",
        ),
        Misconception(
            "without-correction",
            "Your correction is never added to the output of the base.",
            wrong.WithoutCorrection,
            hint="two parameters",
        ),
        *(Misconception("scaled", ALPHA, wrong.scaled(alpha), hint="two parameters") for alpha in (1, 2, 16, 32)),
        Misconception(
            "merges-nothing",
            "Your merge returns the base alone: add B A to its weight.",
            wrong.MergesNothing,
            hint="merging",
        ),
        Misconception(
            "merges-correction-alone",
            "Your merge returns the correction alone: add it to the weight of the base.",
            wrong.MergesCorrectionAlone,
            hint="merging",
        ),
        Misconception(
            "merges-once",
            "Your merge returns the layer that it made at the first call, so later training is lost: make a new one.",
            wrong.MergesOnce,
            hint="merging",
        ),
        Misconception(
            "merge-shares",
            "What your merge returns shares its bias with the base, so changing one changes the other: copy the "
            "numbers.",
            wrong.MergeShares,
            hint="merging",
        ),
        Misconception(
            "base-detached",
            "No gradient gets through your base to x, so layers before this one can't be trained: freezing its "
            "parameters is enough, without `detach` or `no_grad`.",
            wrong.BaseDetached,
            hint="freeze",
        ),
        Misconception(
            "merges-in-place",
            "Your merge changes the base itself, and merging twice would add the correction twice: copy it first.",
            wrong.MergesInPlace,
            hint="merging",
        ),
        Misconception(
            "merges-without-bias", "Your merge drops the bias of the base.", wrong.MergesWithoutBias, hint="merging"
        ),
        Misconception(
            "full-rank",
            "Your correction has as many numbers as the base: make it a product B A of two thin matrices.",
            wrong.FullRank,
            hint="freeze",
        ),
    ),
    accepted=(
        wrong.Adapter,
        wrong.TwoLinears,
        wrong.Transposed,
        wrong.ZeroA,
        wrong.FusedWeight,
        wrong.OfLinear,
        wrong.OfLinearShared,
    ),
)
