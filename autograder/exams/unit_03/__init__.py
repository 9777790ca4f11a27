"""Exams of unit 03, Positional encoding, in the order of the notebook."""

from autograder.exams.unit_03.encoding_module import positional_encoding
from autograder.exams.unit_03.equivariance import is_permutation_equivariant
from autograder.exams.unit_03.learned import learned_positions, longer_than_trained
from autograder.exams.unit_03.order import not_invariant, same_words
from autograder.exams.unit_03.relative import absolute_or_relative, relative_position_bias
from autograder.exams.unit_03.rotary import rotate
from autograder.exams.unit_03.shift import position_products, shift_matrix
from autograder.exams.unit_03.sinusoidal import sinusoidal_encoding

EXAMS = (
    is_permutation_equivariant,
    not_invariant,
    same_words,
    sinusoidal_encoding,
    positional_encoding,
    shift_matrix,
    position_products,
    learned_positions,
    longer_than_trained,
    relative_position_bias,
    absolute_or_relative,
    rotate,
)
