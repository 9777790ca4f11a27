"""What to look at when a student's function is called: each observer gives named outputs to compare."""

from course_lib.checks.loading import copied_weights, loaded_weights
from course_lib.checks.observing.gradients import gradient_of_the_table, gradients
from course_lib.checks.observing.positions import on_token_maps, table_of_positions
from course_lib.checks.observing.returned import (
    Outputs,
    arguments_after,
    blocking,
    dtypes,
    memory,
    numbers,
    refusal,
    values,
)
from course_lib.checks.patch_forms import convolution_made, parameters_after_converting

OBSERVERS = {
    "values": values,
    "numbers": numbers,
    "arguments after": arguments_after,
    "dtypes": dtypes,
    "gradients": gradients,
    "blocking": blocking,
    "memory": memory,
    "refusal": refusal,
    "loaded weights": loaded_weights,
    "copied weights": copied_weights,
    "on token maps": on_token_maps,
    "table of positions": table_of_positions,
    "gradient of the table": gradient_of_the_table,
    "convolution made": convolution_made,
    "parameters after converting": parameters_after_converting,
}

__all__ = ["OBSERVERS", "Outputs"]
