"""Exams of unit 05, Masks and decoder blocks, in the order of the notebook."""

from autograder.exams.unit_05.blocked_rows import safe_masked_softmax
from autograder.exams.unit_05.causality import causality_test
from autograder.exams.unit_05.combining import combine_masks
from autograder.exams.unit_05.decoder import decoder_block
from autograder.exams.unit_05.encoder import encoder_block
from autograder.exams.unit_05.feed_forward import feed_forward
from autograder.exams.unit_05.look_ahead import create_look_ahead_mask, streaming_mask
from autograder.exams.unit_05.norms import layer_norm, padding_and_norms
from autograder.exams.unit_05.padding import create_padding_mask
from autograder.exams.unit_05.placing import where_masks_go
from autograder.exams.unit_05.repair import causal_attention
from autograder.exams.unit_05.residuals import gradient_by_depth, residual_gradient_can_vanish
from autograder.exams.unit_05.shape_sheet import decoder_block_shapes

EXAMS = (
    create_look_ahead_mask,
    create_padding_mask,
    combine_masks,
    where_masks_go,
    streaming_mask,
    safe_masked_softmax,
    causality_test,
    causal_attention,
    layer_norm,
    padding_and_norms,
    feed_forward,
    decoder_block_shapes,
    encoder_block,
    decoder_block,
    gradient_by_depth,
    residual_gradient_can_vanish,
)
