"""Positions: four ways to give a model, which sees a set of tokens, their order."""

from course_lib.nn.positions.learned import LearnedPositions
from course_lib.nn.positions.relative import relative_position_bias
from course_lib.nn.positions.rotary import rotate
from course_lib.nn.positions.sinusoidal import PositionalEncoding, shift_matrix, sinusoidal_encoding

__all__ = [
    "LearnedPositions",
    "PositionalEncoding",
    "relative_position_bias",
    "rotate",
    "shift_matrix",
    "sinusoidal_encoding",
]
