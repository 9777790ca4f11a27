"""What all families share: tokens with positions, through the blocks."""

from autograder.exam_types import ModuleCriterion, ModuleExam
from autograder.exam_types.draw import Arguments, Draw
from autograder.exam_types.exam import Misconception
from autograder.exams.unit_07 import stack_mistakes as wrong
from autograder.exams.unit_07.sizes import longest, tokens_alone
from course_lib.models.token_stack import TokenStack

ONE_BLOCK = "Your blocks hold the weights of one block: make a new one for each of the config.num_layers layers."
PARTS = ("embedding", "positions", "blocks", "norm")


def _unmasked(draw: Draw) -> tuple[Arguments, Arguments]:
    sizes, (tokens,) = tokens_alone(draw)
    return sizes, [tokens, None]


def _masked(draw: Draw) -> tuple[Arguments, Arguments]:
    sizes, (tokens,) = longest(draw)
    batch, n = tokens.shape
    return sizes, [tokens, draw.mask(batch, 1, n, n)]


token_stack = ModuleExam(
    exercise="TokenStack",
    covers=("A10",),
    module=TokenStack,
    outputs=("output",),
    parts=PARTS,
    criteria=(
        ModuleCriterion("tokens with positions, through all blocks", 2.5, _unmasked, visible=True),
        ModuleCriterion("the mask reaches every block", 1.5, _masked, visible=True),
    ),
    misconceptions=(
        Misconception(
            "no-positions",
            "Your tokens get no positions, so their order is lost.",
            wrong.NoPositions,
            hint="what the blocks want",
        ),
        Misconception(
            "scaled-embedding",
            "You multiply the embedding by √d_model, as the model of unit 06 does; here it stays as it is.",
            wrong.ScaledEmbedding,
            hint="what the blocks want",
        ),
        Misconception(
            "no-last-norm",
            "Your last norm is missing: blocks with norm_first leave their last sum unnormalised.",
            wrong.NoLastNorm,
            hint="nearly there",
        ),
        Misconception(
            "forgets-mask",
            "Your mask goes no further than forward: hand it to each block.",
            wrong.ForgetsMask,
            hint="nearly there",
        ),
        Misconception(
            "mask-in-first-block",
            "Your mask reaches the first block only: hand it to each.",
            wrong.MaskInFirstBlock,
            hint="nearly there",
        ),
        Misconception(
            "blocks-not-chained",
            "Each of your blocks gets the embedded tokens; it should get what the block before it gave.",
            wrong.BlocksNotChained,
            hint="nearly there",
        ),
        Misconception(
            "post-norm-blocks",
            "Your blocks normalise after each sum: hand them config.norm_first, the fifth argument.",
            wrong.PostNormBlocks,
            hint="what the blocks want",
        ),
        Misconception("one-block", ONE_BLOCK, wrong.OneBlockRepeated, hint="what the blocks want"),
        Misconception(
            "plain-list",
            "Your blocks lie in a plain list, where no optimizer finds them: put them in an nn.ModuleList.",
            wrong.PlainList,
            hint="four parts, four lines",
        ),
    ),
    accepted=(wrong.Stack, wrong.OwnTable, wrong.InSequence, wrong.WithDropout, wrong.BareTable),
)
