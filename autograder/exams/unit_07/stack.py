"""What all families share: tokens with positions, through the blocks."""

from autograder.exam_types import ModuleCriterion, ModuleExam
from autograder.exam_types.draw import Arguments, Draw
from autograder.exam_types.exam import Misconception
from autograder.exams.unit_07 import stack_mistakes as wrong
from autograder.exams.unit_07.sizes import longest, tokens_alone
from course_lib.models.token_stack import TokenStack

ONE_BLOCK = "Your blocks are one block, repeated, so they share their parameters: make config.num_layers new ones."
PARTS = ("embedding", "positions", "blocks", "norm")


def _unmasked(draw: Draw) -> tuple[Arguments, Arguments]:
    sizes, (tokens,) = tokens_alone(draw)
    return sizes, [tokens, None]


def _masked(draw: Draw) -> tuple[Arguments, Arguments]:
    """As many tokens as there are positions, and a mask over keys."""
    sizes, (tokens,) = longest(draw)
    batch, n = tokens.shape
    return sizes, [tokens, draw.mask(batch, 1, 1, n)]


token_stack = ModuleExam(
    exercise="TokenStack",
    covers=("A10",),
    module=TokenStack,
    outputs=("output",),
    parts=PARTS,
    criteria=(
        ModuleCriterion("tokens with positions", 1, _unmasked, "what goes into the blocks"),
        ModuleCriterion("through all blocks, then the norm", 1.5, _unmasked, "through the blocks"),
        ModuleCriterion("the mask reaches every block", 1, _masked, "reach under a mask"),
        ModuleCriterion("all together", 0.5, _masked),
    ),
    misconceptions=(
        Misconception(
            "no-positions",
            "Your tokens have no positions, so their order is lost: add self.positions.",
            wrong.NoPositions,
            hint="what the blocks want",
        ),
        Misconception(
            "positions-twice",
            "You add the embedded tokens to self.positions(…), which adds them to the positions already, so they count "
            "twice.",
            wrong.TokensTwice,
            hint="what the blocks want",
        ),
        Misconception(
            "positions-late",
            "You add the positions after the blocks: attention comes before and doesn't know the order. Add them to "
            "the embedded tokens.",
            wrong.PositionsLate,
            hint="what the blocks want",
        ),
        Misconception(
            "first-block-only",
            "Your tokens go through the first block only: is there a `return` inside the loop?",
            wrong.FirstBlockOnly,
            hint="nearly there",
        ),
        Misconception(
            "blocks-backwards",
            "Your tokens go through the blocks in reverse order: the first block comes first.",
            wrong.BlocksBackwards,
            hint="nearly there",
        ),
        Misconception(
            "norm-each-block",
            "You apply self.norm after every block: it comes once, after the last one.",
            wrong.NormEachBlock,
            hint="nearly there",
        ),
        Misconception(
            "residual-twice",
            "You add the input of each block to its output: a block has its residual connections inside.",
            wrong.ResidualTwice,
            hint="nearly there",
        ),
        Misconception(
            "always-causal",
            "Your stack masks the future by itself: who sees whom is left to the mask that it is given.",
            wrong.AlwaysCausal,
            hint="nearly there",
        ),
        Misconception(
            "always-causal",
            "Your stack masks the future by itself: who sees whom is left to the mask that it is given.",
            wrong.CausalWithoutMask,
            hint="nearly there",
        ),
        Misconception(
            "embedding-detached",
            "Your embeddings get no gradient, so they are never trained: is there a `detach` or a `no_grad`?",
            wrong.EmbeddingDetached,
            hint="what the blocks want",
        ),
        Misconception(
            "scaled-embedding",
            "You multiply the embedding by √d_model, as the model of unit 06 does: here it has no factor.",
            wrong.ScaledEmbedding,
            hint="what the blocks want",
        ),
        Misconception(
            "no-last-norm",
            "Your last norm is missing: blocks with norm_first leave their last sum unnormalized.",
            wrong.NoLastNorm,
            hint="nearly there",
        ),
        Misconception(
            "norm-first-of-all",
            "Your norm comes before the blocks: it comes after the last one.",
            wrong.NormFirstOfAll,
            hint="nearly there",
        ),
        Misconception(
            "forgets-mask",
            "Your mask doesn't reach every block: pass it to each of them.",
            wrong.ForgetsMask,
            hint="nearly there",
        ),
        Misconception(
            "forgets-mask",
            "Your mask doesn't reach every block: pass it to each of them.",
            wrong.MaskInFirstBlock,
            hint="nearly there",
        ),
        Misconception(
            "mask-inverted",
            "You invert the mask: here True means masked, for the blocks as well, so pass it on as it is.",
            wrong.MaskInverted,
            hint="nearly there",
        ),
        Misconception(
            "blocks-not-chained",
            "Every block gets the embedded tokens: each takes what the one before it gave.",
            wrong.BlocksNotChained,
            hint="nearly there",
        ),
        Misconception(
            "post-norm-blocks",
            "Your blocks are post-norm: pass them config.norm_first, the fifth argument.",
            wrong.PostNormBlocks,
            hint="what the blocks want",
        ),
        Misconception("one-block", ONE_BLOCK, wrong.OneBlockRepeated, hint="what the blocks want"),
        Misconception(
            "plain-list",
            "Your blocks are in a plain list, where no optimizer finds their parameters: use an nn.ModuleList.",
            wrong.PlainList,
            hint="four parts, four lines",
        ),
    ),
    accepted=(wrong.Stack, wrong.OwnTable, wrong.InSequence, wrong.WithDropout, wrong.BareTable),
)
