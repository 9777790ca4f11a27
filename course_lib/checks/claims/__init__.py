"""The claims that counterexamples refute, evaluated on a student's own tensors by checks and exams alike.

Each raises NotRefuted with the numbers, and the slug of the known mistake if there is one, where the claim holds.
"""

from collections.abc import Callable, Mapping

from course_lib.checks.claims.not_refuted import NotRefuted
from course_lib.checks.claims.order import refute_invariance, refute_telling_apart
from course_lib.checks.claims.residuals import refute_at_least_one
from course_lib.checks.claims.scaled_keys import refute_scaling_up
from course_lib.checks.claims.without_softmax import refute_additivity, refute_separate_tokens

__all__ = ["CLAIMS", "NotRefuted"]

CLAIMS: Mapping[str, Callable[..., None]] = {
    "not_additive": refute_additivity,
    "mixes_tokens": refute_separate_tokens,
    "scaling_a_key_can_lower_its_weight": refute_scaling_up,
    "not_invariant": refute_invariance,
    "same_words": refute_telling_apart,
    "residual_gradient_can_vanish": refute_at_least_one,
}
