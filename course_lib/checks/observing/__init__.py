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
    tensor_or_none,
    values,
    values_in_training,
)
from course_lib.checks.observing.writing import (
    cached_steps,
    encoder_and_decoder,
    passes_over_the_source,
    rates,
    tokens_projected,
    training_step,
    use_of_the_model,
    written_tokens,
)

OBSERVERS = {
    "values": values,
    "values in training": values_in_training,
    "tensor or None": tensor_or_none,
    "numbers": numbers,
    "arguments after": arguments_after,
    "dtypes": dtypes,
    "gradients": gradients,
    "blocking": blocking,
    "memory": memory,
    "loaded weights": loaded_weights,
    "copied weights": copied_weights,
    "on token maps": on_token_maps,
    "table of positions": table_of_positions,
    "gradient of the table": gradient_of_the_table,
    "written tokens": written_tokens,
    "use of the model": use_of_the_model,
    "passes over the source": passes_over_the_source,
    "rates": rates,
    "training step": training_step,
    "cached steps": cached_steps,
    "tokens projected": tokens_projected,
    "encoder and decoder": encoder_and_decoder,
}

__all__ = ["OBSERVERS", "Outputs"]
