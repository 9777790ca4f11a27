"""Exams of unit 08, Vision Transformer, in the order of the notebook."""

from autograder.exams.unit_08.choices import inductive_biases, positions_here_and_there
from autograder.exams.unit_08.convolution import to_convolution
from autograder.exams.unit_08.embedding import patch_embedding
from autograder.exams.unit_08.grid_positions import interpolate_positions
from autograder.exams.unit_08.joining import unpatchify
from autograder.exams.unit_08.measured import cnn_against_vit, digits_accuracy, shuffled_patches
from autograder.exams.unit_08.patches import patchify
from autograder.exams.unit_08.vit import vision_transformer

EXAMS = (
    patchify,
    unpatchify,
    patch_embedding,
    to_convolution,
    vision_transformer,
    digits_accuracy,
    shuffled_patches,
    positions_here_and_there,
    interpolate_positions,
    cnn_against_vit,
    inductive_biases,
)
