"""Exams of unit 07, Transformer families, in the order of the notebook."""

from autograder.exams.unit_07.adapter import lora_linear
from autograder.exams.unit_07.choices import price_of_attention, task_to_family
from autograder.exams.unit_07.families import decoder_only, encoder_only
from autograder.exams.unit_07.masking import mask_tokens
from autograder.exams.unit_07.measured import neighbours_seen, story_losses
from autograder.exams.unit_07.sampling import generate
from autograder.exams.unit_07.stack import token_stack

EXAMS = (
    token_stack,
    encoder_only,
    decoder_only,
    neighbours_seen,
    mask_tokens,
    generate,
    story_losses,
    task_to_family,
    price_of_attention,
    lora_linear,
)
