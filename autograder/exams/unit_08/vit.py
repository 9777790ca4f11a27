"""The Vision Transformer as a module, examined part by part."""

from torch import Tensor

from autograder.exam_types import ModuleCriterion, ModuleExam
from autograder.exam_types.draw import Arguments, Draw
from autograder.exam_types.exam import Misconception
from autograder.exams.unit_08 import vit_mistakes as wrong
from autograder.exams.unit_08.vit_styles import ImageByImage, InOneGo, PaddedInFront, TorchNorm, WrittenOut
from course_lib.checks.answer_forms.configs import config_data
from course_lib.models.configs import ViTConfig
from course_lib.models.vision_transformer import VisionTransformer

PARTS = ("embedding", "class_token", "positions", "blocks", "norm", "head")


def _images(draw: Draw) -> tuple[Arguments, list[Tensor]]:
    return [config_data(ViTConfig(6, 2, 3, 5, 8, 2, 11, 2))], [draw.normal(2, 3, 6, 6)]


def _other_images(draw: Draw) -> tuple[Arguments, list[Tensor]]:
    """Other sizes, and a dropout that must be off in eval mode; it would drop everything."""
    return [config_data(ViTConfig(12, 3, 1, 7, 6, 3, 11, 1, dropout=1.0))], [draw.normal(3, 1, 12, 12)]


vision_transformer = ModuleExam(
    exercise="VisionTransformer",
    covers=("D1.5c",),
    module=VisionTransformer,
    outputs=("logits",),
    parts=PARTS,
    criteria=(
        ModuleCriterion(
            "tokens: the class token, then the patches, all with positions",
            2.5,
            _images,
            "what goes into the blocks",
        ),
        ModuleCriterion("through all blocks, which normalise first", 2, _images, "through the blocks"),
        ModuleCriterion("norm, then the head on the class token", 2, _images, "read from the blocks"),
        ModuleCriterion("all together, other sizes, dropout switched off", 0.5, _other_images),
        ModuleCriterion("gradients reach the images", 0.5, _images, "gradients", side=True),
        ModuleCriterion("the images are left unchanged", 0.5, _images, "arguments after", side=True),
    ),
    misconceptions=(
        Misconception(
            "reads-first-patch",
            "Your head reads token 1, the first patch: the class token is token 0.",
            wrong.ReadsFirstPatch,
            hint="reading the answer",
        ),
        Misconception(
            "norm-each-block",
            "You apply self.norm after every block: it comes once, after the last one.",
            wrong.NormEachBlock,
            hint="reading the answer",
        ),
        Misconception(
            "norm-each-block",
            "You apply self.norm after every block: it comes once, after the last one.",
            wrong.NormEachBlockAndAtTheEnd,
            hint="reading the answer",
        ),
        Misconception(
            "residual-twice",
            "You add the input of each block to its output: a block has its residual connections inside.",
            wrong.ResidualTwice,
            hint="in forward",
        ),
        Misconception(
            "positions-multiplied",
            "You multiply by the positions: add them.",
            wrong.PositionsMultiplied,
            hint="in forward",
        ),
        Misconception(
            "masks-the-future",
            "Your blocks get a look-ahead mask, so the class token sees itself alone: leave the mask out.",
            wrong.MasksTheFuture,
            hint="in forward",
        ),
        Misconception(
            "no-positions",
            "You never add the positions, so the model sees a bag of patches without order.",
            wrong.NoPositions,
            hint="in forward",
        ),
        Misconception(
            "positions-for-patches-only",
            "Your class token has no position: put it in front first, then add all the positions.",
            wrong.PositionsForPatchesOnly,
            hint="in forward",
        ),
        Misconception(
            "token-last",
            "Your class token comes last: it goes in front of the patches.",
            wrong.TokenLast,
            hint="in forward",
        ),
        Misconception(
            "token-last",
            "Your class token comes last: it goes in front of the patches.",
            wrong.TokenLastReadFirst,
            hint="in forward",
        ),
        Misconception(
            "mean-of-tokens",
            "You average all tokens: the head reads the class token alone.",
            wrong.MeanOfTokens,
            hint="reading the answer",
        ),
        Misconception(
            "mean-of-patches",
            "You average the patches and leave out the class token, as MAE and timm's global_pool='avg' do: here the "
            "head reads the class token alone.",
            wrong.MeanOfPatches,
            hint="reading the answer",
        ),
        Misconception(
            "reads-the-last",
            "Your head reads the last token: the class token is token 0.",
            wrong.ReadsTheLast,
            hint="reading the answer",
        ),
        Misconception(
            "reads-all",
            "Your head reads every token: it reads the class token alone, [:, 0].",
            wrong.ReadsAll,
            hint="reading the answer",
        ),
        Misconception(
            "normalises-after",
            "Your blocks are post-norm: make them with norm_first=True.",
            wrong.NormalisesAfter,
            hint="in __init__",
        ),
        Misconception(
            "no-last-norm",
            "Your last norm is missing, between the blocks and the head.",
            wrong.NoLastNorm,
            hint="reading the answer",
        ),
        Misconception(
            "norm-before-blocks",
            "Your norm comes before the blocks, as CLIP's ln_pre does: here it comes after the last block.",
            wrong.NormBeforeBlocks,
            hint="reading the answer",
        ),
        Misconception(
            "pooled-by-tanh",
            "You apply a tanh to the class token, as a BERT-style pooler does: here the head follows the norm "
            "directly.",
            wrong.PooledByTanh,
            hint="reading the answer",
        ),
        Misconception(
            "probabilities",
            "You return probabilities: return the logits, without a softmax.",
            wrong.Probabilities,
            hint="reading the answer",
        ),
        Misconception(
            "log-probabilities",
            "You return log-probabilities (log_softmax): return the logits; cross-entropy applies the softmax itself.",
            wrong.LogProbabilities,
            hint="reading the answer",
        ),
        Misconception(
            "blocks-side-by-side",
            "Every block gets the embedded tokens: each takes what the one before it gave.",
            wrong.BlocksSideBySide,
            hint="in forward",
        ),
        Misconception(
            "first-block-only",
            "You use the first block only: the tokens go through all of them.",
            wrong.FirstBlockOnly,
            hint="in forward",
        ),
        Misconception(
            "always-dropout",
            "Your dropout stays on in eval mode: F.dropout needs training=self.training; nn.Dropout knows by itself.",
            wrong.AlwaysDropout,
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
            "Your blocks are in a plain list, where no optimizer finds their parameters: use an nn.ModuleList.",
            wrong.PlainList,
            hint="in __init__",
        ),
        Misconception(
            "one-block-repeated",
            "Your blocks are one block, repeated, so they share their parameters: make config.num_layers new ones.",
            wrong.OneBlockRepeated,
            hint="in __init__",
        ),
        Misconception(
            "too-few-positions",
            "Your positions have no row for the class token: make 1 + N of them.",
            wrong.TooFewPositions,
            hint="in __init__",
        ),
    ),
    accepted=(WrittenOut, TorchNorm, InOneGo, PaddedInFront, ImageByImage),
)
