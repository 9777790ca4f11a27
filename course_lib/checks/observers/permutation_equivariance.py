"""What a student's test of permutation equivariance says about known maps of tokens."""

from torch import Tensor

from course_lib.checks.observers.registry import observer
from course_lib.checks.observers.token_maps import TOKEN_MAPS
from course_lib.checks.question import Outputs, Question, copy


@observer("on token maps")
def on_token_maps(question: Question) -> Outputs:
    """What is returned for each map named in `f`, with `x` and each row of `perm`."""
    verdicts: Outputs = {}
    for title in question.items("f"):
        for perm in question.argument("perm", Tensor):
            returned = question.ask(TOKEN_MAPS[title], copy(question.arguments["x"]), perm.clone())
            value = returned[question.outputs[0]]
            if isinstance(value, Tensor):
                value = f"a tensor of shape {tuple(value.shape)}"
            verdicts[f"{question.exercise}(f, x, {perm.tolist()}) for f = {title}"] = value
    return verdicts
