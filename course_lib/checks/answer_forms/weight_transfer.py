"""Copy the weights of an exam into a student's module, so that students are free in how they build it."""

import inspect
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from course_lib.checks.answer_forms.configs import configured
from course_lib.checks.answer_forms.hidden_parameters import why_hidden
from course_lib.checks.finding import NotReadable
from course_lib.checks.forbidden import forbidding
from course_lib.checks.remote_task import runs_in_student_process
from course_lib.checks.student_call import call


@dataclass(frozen=True)
class Weight:
    """A parameter: its part as printed in the contract ("" for none), its name within that part, and its value.

    `start` is the value of all its entries in a new module, None where they differ; `linear` says whether an
    nn.Linear owns it. Both tell apart parameters that students may name as they like.
    """

    part: str
    name: str
    value: Tensor
    start: float | None
    linear: bool

    @property
    def path(self) -> str:
        return ".".join(filter(None, (self.part, self.name)))

    @property
    def form(self) -> tuple[bool, tuple[int, ...]]:
        """Whose it is and its shape; one without a part may have dimensions of size 1 in front."""
        return self.linear, tuple(self.value.shape) if self.part else _without_ones(self.value.shape)


@runs_in_student_process
def prepared(
    name: str,
    answer: object,
    sizes: Sequence[object],
    weights: Sequence[Weight] | None,
    dtype: torch.dtype = torch.float32,
    forbidden: Sequence[str] = (),
) -> nn.Module:
    """answer(*sizes) with these weights (None: as constructed) in eval mode; a Finding where that cannot be done."""
    methods = [value for value in vars(answer).values() if inspect.isfunction(value)] if inspect.isclass(answer) else []
    for written in methods:
        with forbidding(name, written, forbidden):
            pass  # entering searches the source, before any of it runs
    with forbidding(name, answer, forbidden):
        module = construct(name, answer, sizes)
    call(name, _make_ready, (name, module, weights, dtype))
    return module


def input_dtype(inputs: Iterable[object]) -> torch.dtype:
    """The dtype a module must have to be called with these inputs."""
    return next((x.dtype for x in inputs if isinstance(x, Tensor) and x.is_floating_point()), torch.float32)


@runs_in_student_process
def construct(name: str, answer: object, sizes: Sequence[object]) -> nn.Module:
    """answer(*sizes), or a Finding unless that gives a module."""
    if isinstance(answer, nn.Module):
        raise NotReadable(
            "should be a class, but it is an object of one", detail="hand in the class, without parentheses", where=name
        )
    if answer is not None and answer is not ... and not callable(answer):
        raise NotReadable(
            f"should be a class derived from nn.Module, but it is of type {type(answer).__name__}", where=name
        )
    module = call(name, answer, configured(sizes))
    if not isinstance(module, nn.Module):
        shown = f"{name}({', '.join(map(str, sizes))})"
        raise NotReadable(
            f"gives a {type(module).__name__}", "an nn.Module", "does the class derive from nn.Module?", where=shown
        )
    return module


def _make_ready(name: str, module: nn.Module, weights: Sequence[Weight] | None, dtype: torch.dtype) -> None:
    if weights is not None:
        hand_over(name, module, weights)
    if dtype != torch.float32:
        module.to(dtype)
    module.eval()


def weights_of(module: nn.Module, parts: Sequence[str]) -> list[Weight]:
    """Every parameter once: first those of each part, then the others."""
    return [weight for weight, _ in _parameters(module, parts)]


def hand_over(name: str, module: nn.Module, weights: Sequence[Weight]) -> None:
    """Copy the weights: within a part by name, or else by shape, owner and start where these leave no doubt."""
    parts = [part for part in dict.fromkeys(weight.part for weight in weights) if part]
    parameters = _parameters(module, parts)
    if missing := [part for part in parts if all(weight.part != part for weight, _ in parameters)]:
        _require_visible(name, module, missing[0])
        raise NotReadable(
            f"has no {_and(missing)}",
            detail=f"assign {_and([f'self.{part}' for part in missing])} in __init__",
            where=name,
        )
    for part in dict.fromkeys(weight.part for weight in weights):
        own = [pair for pair in parameters if pair[0].part == part]
        if sum(weight.part == part for weight in weights) != len(own):
            _require_visible(name, module, part)
        _hand_over_part(name, part, own, [weight for weight in weights if weight.part == part])


def _require_visible(name: str, module: nn.Module, part: str) -> None:
    """Raise a Finding if parameters of the part exist, but not as parameters of its own."""
    if found := why_hidden(module, part):
        got, instead = found
        raise NotReadable(got, detail=instead, where=name)


def _parameters(module: nn.Module, parts: Sequence[str]) -> list[tuple[Weight, nn.Parameter]]:
    in_linear = {id(p) for m in module.modules() if isinstance(m, nn.Linear) for p in m.parameters(recurse=False)}
    parameters: dict[int, tuple[Weight, nn.Parameter]] = {}
    named = list(module.named_parameters(remove_duplicate=False))
    for part in (*parts, ""):
        for path, parameter in named:
            inside = not part or path == part or path.startswith(f"{part}.")
            if inside and id(parameter) not in parameters:
                inner = path.removeprefix(part).removeprefix(".")
                value = parameter.detach()
                weight = Weight(part, inner, value, _start(value), id(parameter) in in_linear)
                parameters[id(parameter)] = weight, parameter
    return list(parameters.values())


def _start(value: Tensor) -> float | None:
    constant = value.numel() > 1 and bool((value == value.flatten()[0]).all())
    return float(value.flatten()[0]) if constant else None


def _hand_over_part(name: str, part: str, own: Sequence[tuple[Weight, nn.Parameter]], wanted: Sequence[Weight]) -> None:
    keys: dict[int, object]
    if {weight.name for weight, _ in own} == {weight.name for weight in wanted}:
        keys = {id(weight): weight.name for weight in (*wanted, *(weight for weight, _ in own))}
    else:
        keys = _tell_apart(name, part, [weight for weight, _ in own], wanted)
    parameters = {keys[id(weight)]: (weight, parameter) for weight, parameter in own}
    for weight in wanted:
        mine, parameter = parameters[keys[id(weight)]]
        if _without_ones(mine.value.shape) != _without_ones(weight.value.shape) or (
            part and mine.value.shape != weight.value.shape
        ):
            raise NotReadable(
                f"{name}: {mine.path} has shape {tuple(mine.value.shape)}", f"{tuple(weight.value.shape)}"
            )
        with torch.no_grad():
            parameter.copy_(weight.value.reshape(parameter.shape))


def _tell_apart(name: str, part: str, own: Sequence[Weight], wanted: Sequence[Weight]) -> dict[int, object]:
    """A key for each weight, equal for the two to be matched: its form, and its start where several have that form."""
    if sorted(weight.form for weight in own) != sorted(weight.form for weight in wanted):
        where = f"{name}.{part}" if part else name
        counts = [len({weight.name.partition(".")[0] for weight in side}) for side in (own, wanted)]
        if counts[0] != counts[1] and all(weight.name.partition(".")[0].isdigit() for weight in (*own, *wanted)):
            raise NotReadable(
                f"has length {counts[0]}", f"{counts[1]}, as the sizes given to the constructor say", where=where
            )
        raise NotReadable(f"has the parameters {_list(own)}", _expected(wanted), where=where)
    keys: dict[int, object] = {}
    for side in (own, wanted):
        forms = [weight.form for weight in side]
        keys |= {id(w): (w.form, w.start if forms.count(w.form) > 1 else None) for w in side}
    wanted_keys = [keys[id(weight)] for weight in wanted]
    if len(set(wanted_keys)) < len(wanted_keys) or set(wanted_keys) != {keys[id(weight)] for weight in own}:
        names = ", ".join(weight.path for weight in wanted if [w.form for w in wanted].count(weight.form) > 1)
        raise NotReadable(
            f"has several parameters of one shape, {_list(own)}, and it cannot be told which is which",
            detail=f"expected {names}, by these names or with the values the exercise asks for at the start",
            where=name,
        )
    return keys


def _without_ones(shape: Sequence[int]) -> tuple[int, ...]:
    """The shape without dimensions of size 1 in front, which broadcasting adds."""
    sizes = tuple(shape)
    while sizes[:1] == (1,):
        sizes = sizes[1:]
    return sizes


def _expected(weights: Sequence[Weight]) -> str:
    """What is expected: by name where the contract names an nn.Linear, whose parameters have names; else by shape."""
    if all(weight.part and weight.linear for weight in weights):
        return _list(weights)
    shown = (f"{tuple(w.value.shape)}{' of an nn.Linear' if w.linear else ''}" for w in weights)
    return f"the shapes {', '.join(shown)}"


def _list(weights: Sequence[Weight]) -> str:
    shown = (f"{w.path} {tuple(w.value.shape)}{' of an nn.Linear' if w.linear else ''}" for w in weights)
    return ", ".join(shown) or "none"


def _and(words: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))
