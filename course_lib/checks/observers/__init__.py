"""What to look at when a student's function is called: each observer gives named outputs to compare."""

from course_lib.checks.observers.decoding_and_training import (
    cached_steps,
    encoder_and_decoder,
    passes_over_the_source,
    rates,
    tokens_projected,
    training_step,
    use_of_the_model,
    written_tokens,
)
from course_lib.checks.observers.gradients import gradient_of_the_table, gradients
from course_lib.checks.observers.lora import (
    adapter_at_the_start,
    adapter_corrected,
    adapter_merged,
    adapter_parameters,
    adapter_trained,
)
from course_lib.checks.observers.patch_convolution import convolution_made, parameters_after_converting
from course_lib.checks.observers.positions import on_token_maps, table_of_positions
from course_lib.checks.observers.return_values import (
    Outputs,
    arguments_after,
    blocking,
    dtypes,
    memory,
    numbers,
    refusal,
    tensor_or_none,
    values,
    values_in_training,
)
from course_lib.checks.observers.sampling import odds_of_the_next_token, tokens_written
from course_lib.checks.observers.token_masking import (
    hidden_tokens,
    places_hidden,
    share_hidden,
    tokens_after,
    whole_tokens,
)
from course_lib.checks.observers.torch_weights import copied_weights, loaded_weights

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
    "refusal": refusal,
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
    "whole tokens": whole_tokens,
    "tokens after": tokens_after,
    "hidden tokens": hidden_tokens,
    "share hidden": share_hidden,
    "places hidden": places_hidden,
    "tokens written": tokens_written,
    "odds of the next token": odds_of_the_next_token,
    "adapter at the start": adapter_at_the_start,
    "adapter parameters": adapter_parameters,
    "adapter corrected": adapter_corrected,
    "adapter trained": adapter_trained,
    "adapter merged": adapter_merged,
    "convolution made": convolution_made,
    "parameters after converting": parameters_after_converting,
}

__all__ = ["OBSERVERS", "Outputs"]
