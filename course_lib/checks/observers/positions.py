"""What unit 03 looks at: a test of functions on tokens, and the table of positions in a module."""

from collections.abc import Mapping, Sequence

from torch import Tensor, nn

from course_lib.checks.finding import Finding
from course_lib.checks.observers.return_values import Outputs, copy
from course_lib.checks.observers.token_maps import TOKEN_MAPS
from course_lib.checks.remote_task import runs_in_student_process
from course_lib.checks.student_call import call, named_outputs


def on_token_maps(
    name: str,
    answer: object,
    arguments: Mapping[str, object],
    outputs: Sequence[str],
    forbidden: Sequence[str] = (),
) -> Outputs:
    """What is returned for each map named in `f`, with `x` and each row of `perm`."""
    found: Outputs = {}
    for title in arguments["f"]:
        for perm in arguments["perm"]:
            returned = call(name, answer, [TOKEN_MAPS[title], copy(arguments["x"]), perm.clone()], forbidden)
            value = named_outputs(name, returned, outputs)[outputs[0]]
            if isinstance(value, Tensor):
                value = f"a tensor of shape {tuple(value.shape)}"
            found[f"{name}(f, x, {perm.tolist()}) for f = {title}"] = value
    return found


def table_of_positions(
    name: str,
    answer: object,
    arguments: Mapping[str, object],
    outputs: Sequence[str],
    forbidden: Sequence[str] = (),
) -> Outputs:
    """The buffer `pe` of a module, and whether anything in it would be trained."""
    table, trained = buffer_and_training(name, answer, "pe")
    if table is None:
        raise Finding(f"{name} has no buffer called pe: make it with self.register_buffer('pe', …) in __init__")
    return {"pe": table, "whether anything in it is trained": trained}


@runs_in_student_process
def buffer_and_training(name: str, answer: nn.Module, buffer: str) -> tuple[Tensor | None, bool]:
    """The buffer of that name, and whether the module has anything to train."""
    return dict(answer.named_buffers()).get(buffer), any(p.requires_grad for p in answer.parameters())
