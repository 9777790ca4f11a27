"""The encoder–decoder Transformer, put together from the blocks of unit 05."""

from functools import partial

from torch import Tensor

from autograder.exam_types import ModuleCriterion, ModuleExam
from autograder.exam_types.draw import Arguments, Draw
from autograder.exam_types.exam import Misconception
from autograder.exams.unit_06 import transformer_mistakes as wrong
from autograder.exams.unit_06.targets import pad_after, tokens
from autograder.exams.unit_06.transformer_styles import (
    ByIndices,
    PaddingOfTheTargetToo,
    SmallSteps,
    WithTheCoursesMasks,
)
from course_lib.checks.answer_forms.configs import config_data
from course_lib.models.configs import TransformerConfig
from course_lib.models.transformer import Transformer

PAD = 0
SRC_VOCAB, TGT_VOCAB = 9, 7


def _inputs(
    draw: Draw, padded: bool = False, norm_first: bool = False, num_layers: int = 1
) -> tuple[Arguments, list[Tensor]]:
    config = TransformerConfig(SRC_VOCAB, TGT_VOCAB, 4, 2, 5, num_layers, 9, pad_id=PAD, norm_first=norm_first)
    src, tgt_in = tokens(draw, 1, SRC_VOCAB, 2, 5), tokens(draw, 1, TGT_VOCAB, 2, 3)
    return [config_data(config)], [pad_after(src, PAD, 4) if padded else src, tgt_in]


transformer = ModuleExam(
    exercise="Transformer",
    covers=("B overview", "C architecture"),
    module=Transformer,
    outputs=("logits",),
    parts=("src_embedding", "tgt_embedding", "encoder", "decoder", "encoder_norm", "decoder_norm", "output"),
    forbidden=("torch.nn.Transformer", "torch.nn.TransformerEncoder", "torch.nn.TransformerDecoder"),
    criteria=(
        ModuleCriterion("the logits, through all blocks", 3, partial(_inputs, num_layers=2), visible=True),
        ModuleCriterion("padding of the source is seen by nobody", 1.5, partial(_inputs, padded=True), visible=True),
        ModuleCriterion(
            "encode, source_mask and decode by themselves", 1.5, _inputs, "encoder and decoder", visible=True
        ),
        ModuleCriterion("a last norm on each stack if norm_first", 1, partial(_inputs, norm_first=True)),
    ),
    misconceptions=(
        Misconception(
            "no-scale",
            "Your embeddings are not multiplied by √d_model, so the positions drown them.",
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
            "no-positions",
            "Your tokens have no positions: add them after the scale.",
            wrong.NoPositions,
            hint="embed and source_mask",
        ),
        Misconception(
            "sees-the-future",
            "Your decoder has no look-ahead mask: every place sees the tokens that it has to write.",
            wrong.SeesTheFuture,
            hint="decode and forward",
        ),
        Misconception(
            "blocks-itself",
            "Your look-ahead mask blocks a place for itself too: block only what comes after it.",
            wrong.BlocksItself,
            hint="decode and forward",
        ),
        Misconception(
            "reads-padding",
            "Your encoder reads padding: give its blocks the mask of the source.",
            wrong.ReadsPadding,
            hint="encode",
        ),
        Misconception(
            "decoder-reads-padding",
            "Your forward does not hand the mask of the source to decode, so cross-attention reads padding.",
            wrong.DecoderReadsPadding,
            hint="encode",
        ),
        Misconception(
            "encoder-looks-back-only",
            "Your encoder looks back only: it may read the whole source, so it gets no look-ahead mask.",
            wrong.EncoderLooksBackOnly,
            hint="encode",
        ),
        Misconception(
            "last-block-only",
            "Your source goes through the last encoder block only: each block reads what the one before it made.",
            wrong.LastBlockOnly,
            hint="encode",
        ),
        Misconception(
            "one-embedding",
            "You embed the target with src_embedding: the two languages have a table each.",
            wrong.OneEmbedding,
            hint="decode and forward",
        ),
        Misconception(
            "no-last-norm",
            "With norm_first you leave out encoder_norm and decoder_norm, which come after the last block of a stack.",
            wrong.NoLastNorm,
            hint="decode and forward",
        ),
        Misconception(
            "probabilities",
            "You return probabilities: logits come before the softmax.",
            wrong.Probabilities,
            hint="decode and forward",
        ),
        Misconception(
            "mask-of-two-dimensions",
            "Your source_mask is (B, n_src): it must broadcast to the scores, so make it (B, 1, 1, n_src).",
            wrong.MaskOfTwoDimensions,
            hint="embed and source_mask",
        ),
    ),
    accepted=(WithTheCoursesMasks, PaddingOfTheTargetToo, ByIndices, SmallSteps),
)
