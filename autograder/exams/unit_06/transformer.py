"""The encoder–decoder Transformer, put together from the blocks of unit 05, and examined part by part."""

from functools import partial
from typing import Any

from torch import Tensor

from autograder.exam_types import ModuleCriterion, ModuleExam
from autograder.exam_types.draw import Arguments, Draw
from autograder.exam_types.exam import Misconception
from autograder.exams.unit_06 import transformer_mistakes as wrong
from autograder.exams.unit_06.targets import pad_after, tokens
from autograder.exams.unit_06.transformer_styles import (
    ByIndices,
    PaddingOfTheTargetToo,
    RowByRow,
    SmallSteps,
    WithTheCoursesMasks,
)
from course_lib.checks.answer_forms.configs import config_data
from course_lib.models.configs import TransformerConfig
from course_lib.models.transformer import Transformer

SRC_VOCAB, TGT_VOCAB = 9, 7
CROSS_READS_PADDING = (
    "The source mask doesn't reach your cross-attention, which attends to padding: forward passes it to decode, and "
    "decode to each block."
)


def _inputs(draw: Draw, num_layers: int = 1, **options: Any) -> tuple[Arguments, list[Tensor]]:
    """A source that is longer than the target; a width whose root is no other size."""
    config = TransformerConfig(SRC_VOCAB, TGT_VOCAB, 6, 2, 5, num_layers, 9, **options)
    return [config_data(config)], [tokens(draw, 1, SRC_VOCAB, 2, 5), tokens(draw, 1, TGT_VOCAB, 2, 3)]


def _padded(draw: Draw, num_layers: int = 1, **options: Any) -> tuple[Arguments, list[Tensor]]:
    """Padding that is not 0, among tokens that are; a target that is longer than the source."""
    pad_id = (1, 2)[draw.sizes(1)[0] % 2]
    config = TransformerConfig(SRC_VOCAB, TGT_VOCAB, 6, 2, 5, num_layers, 9, pad_id=pad_id, **options)
    src = pad_after(tokens(draw, 3, SRC_VOCAB, 2, 4), pad_id, 3)
    src[:, 0] = 0
    return [config_data(config)], [src, tokens(draw, 3, TGT_VOCAB, 2, 6)]


transformer = ModuleExam(
    exercise="Transformer",
    covers=("B overview", "C architecture"),
    module=Transformer,
    outputs=("logits",),
    parts=("src_embedding", "tgt_embedding", "encoder", "decoder", "encoder_norm", "decoder_norm", "output"),
    forbidden=("torch.nn.Transformer", "torch.nn.TransformerEncoder", "torch.nn.TransformerDecoder"),
    criteria=(
        ModuleCriterion("tokens as vectors with positions", 1.5, _inputs, "embedded tokens"),
        ModuleCriterion("source_mask", 0.5, _padded, "source mask"),
        ModuleCriterion(
            "encode: all encoder blocks, which see no padding",
            1.5,
            partial(_padded, num_layers=2),
            "encoder blocks",
        ),
        ModuleCriterion(
            "decode: all decoder blocks, which see no future",
            1.5,
            partial(_inputs, num_layers=2),
            "decoder blocks",
        ),
        ModuleCriterion("forward: the logits of both together", 1, partial(_padded, num_layers=2, dropout=1.0)),
        ModuleCriterion(
            "a last norm after the encoder if norm_first",
            0.5,
            partial(_inputs, num_layers=2, norm_first=True),
            "encoder blocks",
        ),
        ModuleCriterion(
            "a last norm after the decoder if norm_first",
            0.5,
            partial(_inputs, num_layers=2, norm_first=True),
            "decoder blocks",
        ),
    ),
    misconceptions=(
        Misconception(
            "no-scale",
            "Your embeddings aren't multiplied by √d_model, so the positions drown them.",
            wrong.NoScale,
            hint="embed and source_mask",
        ),
        Misconception(
            "scaled-positions",
            "You multiply the positions by √d_model too: scale the embedding first, then add them.",
            wrong.ScaledPositions,
            hint="embed and source_mask",
        ),
        Misconception(
            "divided-by-root",
            "You divide the embeddings by √d_model: multiply them.",
            wrong.DividedByRoot,
            hint="embed and source_mask",
        ),
        Misconception(
            "embedding-twice",
            "You add the embeddings to self.positions(…), which adds them to the positions already, so they count "
            "twice.",
            wrong.EmbeddingTwice,
            hint="embed and source_mask",
        ),
        Misconception(
            "first-encoder-block-only",
            "Your source goes through the first encoder block only: is there a `return` inside the loop?",
            wrong.FirstEncoderBlockOnly,
            hint="encode",
        ),
        Misconception(
            "first-decoder-block-only",
            "Your target goes through the first decoder block only: is there a `return` inside the loop?",
            wrong.FirstDecoderBlockOnly,
            hint="decode and forward",
        ),
        Misconception(
            "encoder-backwards",
            "Your source goes through the encoder blocks in reverse order: the first block comes first.",
            wrong.EncoderBackwards,
            hint="encode",
        ),
        Misconception(
            "memory-replaced",
            "Your memory changes from block to block: every decoder block attends to what the encoder made.",
            wrong.MemoryReplaced,
            hint="decode and forward",
        ),
        Misconception(
            "memory-not-encoded",
            "Your decoder attends to the embedded source: pass it what encode returns.",
            wrong.MemoryNotEncoded,
            hint="decode and forward",
        ),
        Misconception(
            "look-ahead-inverted",
            "Your look-ahead mask is inverted: it is True for what a position may see, but True means masked here.",
            wrong.LookAheadInverted,
            hint="decode and forward",
        ),
        Misconception(
            "encoder-norm-in-the-loop",
            "You apply encoder_norm after every block: it comes once, after the last one.",
            wrong.EncoderNormInTheLoop,
            hint="encode",
        ),
        Misconception(
            "no-positions",
            "Your tokens have no positions: add them after the scale.",
            wrong.NoPositions,
            hint="embed and source_mask",
        ),
        Misconception(
            "one-embedding",
            "You embed the target with src_embedding: each language has its own table.",
            wrong.OneEmbedding,
            hint="decode and forward",
        ),
        Misconception(
            "sees-the-future",
            "Your decoder has no look-ahead mask, so every position sees the tokens that it has to predict.",
            wrong.SeesTheFuture,
            hint="decode and forward",
        ),
        Misconception(
            "blocks-itself",
            "Your look-ahead mask includes the diagonal, so no position sees itself: mask only what comes later.",
            wrong.BlocksItself,
            hint="decode and forward",
        ),
        Misconception(
            "reads-padding",
            "Your encoder attends to padding: pass the source mask to its blocks.",
            wrong.ReadsPadding,
            hint="encode",
        ),
        Misconception(
            "decoder-reads-padding",
            CROSS_READS_PADDING,
            wrong.DecoderReadsPadding,
            hint="decode and forward",
        ),
        Misconception(
            "decoder-reads-padding",
            CROSS_READS_PADDING,
            wrong.DecodeDropsMask,
            hint="decode and forward",
        ),
        Misconception(
            "encoder-looks-back-only",
            "Your encoder has a look-ahead mask: it may attend to the whole source.",
            wrong.EncoderLooksBackOnly,
            hint="encode",
        ),
        Misconception(
            "last-block-only",
            "Your encoder uses its last block only: each block takes what the one before it gave.",
            wrong.LastBlockOnly,
            hint="encode",
        ),
        Misconception(
            "encoder-blocks-side-by-side",
            "Every encoder block gets the embedded source: each takes what the one before it gave.",
            wrong.EncoderBlocksSideBySide,
            hint="encode",
        ),
        Misconception(
            "decoder-blocks-side-by-side",
            "Every decoder block gets the embedded target: each takes what the one before it gave.",
            wrong.DecoderBlocksSideBySide,
            hint="decode and forward",
        ),
        Misconception(
            "no-encoder-norm",
            "With norm_first you leave out encoder_norm, which comes after the last encoder block.",
            wrong.NoEncoderNorm,
            hint="encode",
        ),
        Misconception(
            "no-decoder-norm",
            "With norm_first you leave out decoder_norm, which comes after the last decoder block.",
            wrong.NoDecoderNorm,
            hint="decode and forward",
        ),
        Misconception(
            "probabilities",
            "You return probabilities: return the logits, without a softmax.",
            wrong.Probabilities,
            hint="decode and forward",
        ),
        Misconception(
            "log-probabilities",
            "You return log-probabilities, as the generator of the Annotated Transformer does. Here the loss applies "
            "the softmax: return the logits.",
            wrong.LogProbabilities,
            hint="decode and forward",
        ),
        Misconception(
            "always-dropout",
            "Your dropout stays on in eval mode: F.dropout needs training=self.training; nn.Dropout knows by itself.",
            wrong.AlwaysDropout,
            hint="embed and source_mask",
        ),
        Misconception(
            "tied-weights",
            "Your output layer shares its weight with tgt_embedding (weight tying, as in the 2017 paper). Here each "
            "has a weight of its own.",
            wrong.TiedWeights,
        ),
        Misconception(
            "mask-of-two-dimensions",
            "Your source_mask has shape (B, n_src): it has to broadcast to the scores, so make it (B, 1, 1, n_src).",
            wrong.MaskOfTwoDimensions,
            hint="embed and source_mask",
        ),
        Misconception(
            "source-mask-inverted",
            "Your source_mask is inverted: it is True for real tokens, but True means masked here.",
            wrong.SourceMaskInverted,
            hint="embed and source_mask",
        ),
        Misconception(
            "padding-is-0",
            "You take 0 for padding whatever config.pad_id is: compare with config.pad_id.",
            wrong.PaddingIsZero,
            hint="embed and source_mask",
        ),
    ),
    accepted=(WithTheCoursesMasks, PaddingOfTheTargetToo, ByIndices, SmallSteps, RowByRow),
)
