"""The Vision Transformer as a module."""

from torch import Tensor

from autograder.exam_types import ModuleCriterion, ModuleExam
from autograder.exam_types.draw import Arguments, Draw
from autograder.exam_types.exam import Misconception
from autograder.exams.unit_08 import vit_mistakes as wrong
from autograder.exams.unit_08.vit_styles import InOneGo, PaddedInFront, TorchNorm, WrittenOut
from course_lib.checks.answer_forms.configs import config_data
from course_lib.models.configs import ViTConfig
from course_lib.models.vision_transformer import VisionTransformer

PARTS = ("embedding", "class_token", "positions", "blocks", "norm", "head")


def _one_block(draw: Draw) -> tuple[Arguments, list[Tensor]]:
    return [config_data(ViTConfig(6, 2, 3, 5, 8, 2, 11, 1))], [draw.normal(4, 3, 6, 6)]


def _two_blocks(draw: Draw) -> tuple[Arguments, list[Tensor]]:
    """Other sizes, and a dropout that must be off in eval mode."""
    return [config_data(ViTConfig(12, 3, 1, 7, 6, 3, 11, 2, dropout=0.5))], [draw.normal(2, 1, 12, 12)]


vision_transformer = ModuleExam(
    exercise="VisionTransformer",
    covers=("D1.5c",),
    module=VisionTransformer,
    outputs=("logits",),
    parts=PARTS,
    criteria=(
        ModuleCriterion("logits, with one block", 4, _one_block, visible=True),
        ModuleCriterion("logits, with two blocks, other sizes and dropout switched off", 3, _two_blocks),
        ModuleCriterion("gradients reach the images", 0.5, _one_block, "gradients"),
        ModuleCriterion("the images are left unchanged", 0.5, _one_block, "arguments after"),
    ),
    misconceptions=(
        Misconception(
            "no-positions",
            "You never add the positions: patches are then a bag without order.",
            wrong.NoPositions,
            hint="in forward",
        ),
        Misconception(
            "positions-for-patches-only",
            "Your class token gets no position: put it in front first, then add all the positions.",
            wrong.PositionsForPatchesOnly,
            hint="in forward",
        ),
        Misconception(
            "token-last",
            "Your class token stands last: it goes in front of the patches.",
            wrong.TokenLast,
            hint="in forward",
        ),
        Misconception(
            "mean-of-tokens",
            "You take the mean over all tokens: the head reads the class token alone.",
            wrong.MeanOfTokens,
            hint="reading the answer",
        ),
        Misconception(
            "reads-the-last",
            "Your head reads the last patch: the class token is token 0.",
            wrong.ReadsTheLast,
            hint="reading the answer",
        ),
        Misconception(
            "normalises-after",
            "Your blocks normalise after each sum: make them with norm_first=True.",
            wrong.NormalisesAfter,
            hint="in __init__",
        ),
        Misconception(
            "no-last-norm",
            "You leave out the last norm, between the blocks and the head.",
            wrong.NoLastNorm,
            hint="reading the answer",
        ),
        Misconception(
            "probabilities",
            "You return probabilities: return the logits, without a softmax.",
            wrong.Probabilities,
            hint="reading the answer",
        ),
        Misconception(
            "blocks-side-by-side",
            "Every one of your blocks gets the embedded tokens: each should get what the one before it made.",
            wrong.BlocksSideBySide,
            hint="in forward",
        ),
        Misconception(
            "token-not-trained",
            "Your class token is a plain tensor, which no optimizer trains: make it an nn.Parameter.",
            wrong.TokenNotTrained,
            hint="in __init__",
        ),
        Misconception(
            "plain-list",
            "Your blocks are in a plain list, where nobody finds their weights: make it an nn.ModuleList.",
            wrong.PlainList,
            hint="in __init__",
        ),
        Misconception(
            "too-few-positions",
            "Your positions have no row for the class token: there are 1 + N of them.",
            wrong.TooFewPositions,
            hint="in __init__",
        ),
    ),
    accepted=(WrittenOut, TorchNorm, InOneGo, PaddedInFront),
)
