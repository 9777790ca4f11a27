"""Exams of unit 02, Softmax and scaling, in the order of the notebook."""

from autograder.exams.unit_02.copy_or_mix import dilute, preserve
from autograder.exams.unit_02.derivative import softmax_derivative
from autograder.exams.unit_02.jacobian import softmax_jacobian
from autograder.exams.unit_02.limits import softargmax, softargmax_limits
from autograder.exams.unit_02.measured import measured_variance
from autograder.exams.unit_02.perturbation import scaling_a_key_can_lower_its_weight, what_moves
from autograder.exams.unit_02.saturation import saturation, saturation_threshold
from autograder.exams.unit_02.scale import scaled_weights, why_divide_by_root
from autograder.exams.unit_02.sharpness import beta_for_sharpness
from autograder.exams.unit_02.softmax import softmax
from autograder.exams.unit_02.variance import dot_product_variance

EXAMS = (
    softmax,
    softmax_derivative,
    softmax_jacobian,
    dot_product_variance,
    measured_variance,
    scaled_weights,
    saturation,
    saturation_threshold,
    softargmax,
    softargmax_limits,
    beta_for_sharpness,
    why_divide_by_root,
    preserve,
    dilute,
    what_moves,
    scaling_a_key_can_lower_its_weight,
)
