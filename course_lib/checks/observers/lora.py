"""A layer with a correction of low rank: what it gives, what of it is trained, and what it merges into.

The layer it adapts travels as one tensor, its weight with its bias as one more column. A and B are found by their
shapes, so their names are free.
"""

from collections.abc import Callable, Mapping, Sequence

import torch
from torch import Tensor, nn

from course_lib.checks.answer_forms.weight_transfer import construct
from course_lib.checks.finding import Finding
from course_lib.checks.remote_task import runs_in_student_process
from course_lib.checks.student_call import call, plain

STEPS, RATE = 3, 0.1


@runs_in_student_process
def adapter_at_the_start(
    name: str, answer: object, arguments: Mapping[str, object], outputs: Sequence[str], forbidden: Sequence[str] = ()
) -> dict:
    """Whether the output of a new adapter is that of its base."""
    base, adapter = _adapter(name, answer, arguments)
    x = _inputs(base)
    want, got = base(x).detach(), _output(name, adapter, x)
    if got.shape != want.shape:
        raise Finding(f"the output has shape {tuple(got.shape)}, expected {tuple(want.shape)}")
    known = {"that of the base": want, "zero": torch.zeros_like(want)}
    near = (word for word, value in known.items() if torch.allclose(got, value, atol=1e-6))
    return {"the output at the start": next(near, "something else than that of the base")}


@runs_in_student_process
def adapter_parameters(
    name: str, answer: object, arguments: Mapping[str, object], outputs: Sequence[str], forbidden: Sequence[str] = ()
) -> dict:
    """How many numbers would be trained."""
    base, adapter = _adapter(name, answer, arguments)
    trained = [parameter for parameter in adapter.parameters() if parameter.requires_grad]
    return {
        "the number of trained parameters": sum(parameter.numel() for parameter in trained),
        "whether the base is trained": any(parameter.requires_grad for parameter in base.parameters()),
    }


@runs_in_student_process
def adapter_corrected(
    name: str, answer: object, arguments: Mapping[str, object], outputs: Sequence[str], forbidden: Sequence[str] = ()
) -> dict:
    """The output once A and B hold other numbers."""
    base, adapter = _filled(name, answer, arguments)
    return {"the output with other numbers in A and B": _output(name, adapter, _inputs(base))}


@runs_in_student_process
def adapter_trained(
    name: str, answer: object, arguments: Mapping[str, object], outputs: Sequence[str], forbidden: Sequence[str] = ()
) -> dict:
    """What a few steps of training change."""
    base, adapter = _adapter(name, answer, arguments)
    x, weight = _inputs(base), base.weight.detach().clone()
    before = _output(name, adapter, x)
    call(name, _train, (adapter, x))
    return {
        "whether training changes the output": not torch.allclose(before, _output(name, adapter, x), atol=1e-4),
        "whether training changes the base": not torch.equal(weight, base.weight.detach()),
    }


@runs_in_student_process
def adapter_merged(
    name: str, answer: object, arguments: Mapping[str, object], outputs: Sequence[str], forbidden: Sequence[str] = ()
) -> dict:
    """The layer that merge() gives, and what has become of the base."""
    base, adapter = _filled(name, answer, arguments)
    if not hasattr(adapter, "merge"):
        raise Finding(f"{name} has no merge: write a method `def merge(self)` that returns an nn.Linear")
    merged = call(name, adapter.merge, ())
    if not isinstance(merged, nn.Linear):
        raise Finding(f"merge() gives a {type(merged).__name__}, expected an nn.Linear")
    bias = merged.bias if merged.bias is not None else torch.zeros(0)
    return {
        "the weight of merge()": plain(merged.weight.detach().clone()),
        "the bias of merge()": plain(bias.detach().clone()),
        "the weight of the base, after merge(),": plain(base.weight.detach().clone()),
    }


def _adapter(name: str, answer: object, arguments: Mapping[str, object]) -> tuple[nn.Linear, nn.Module]:
    packed, rank = arguments["base"], arguments["rank"]
    d_out, d_in = packed.shape[0], packed.shape[1] - 1
    base = nn.Linear(d_in, d_out)
    with torch.no_grad():
        base.weight.copy_(packed[:, :d_in])
        base.bias.copy_(packed[:, d_in])
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        return base, construct(name, answer, [base, rank])


def _filled(name: str, answer: object, arguments: Mapping[str, object]) -> tuple[nn.Linear, nn.Module]:
    base, adapter = _adapter(name, answer, arguments)
    rank = arguments["rank"]
    for letter, shape in (("A", (rank, base.in_features)), ("B", (base.out_features, rank))):
        found = [p for p in adapter.parameters() if p.requires_grad and tuple(p.shape) in (shape, shape[::-1])]
        if len(found) != 1:
            raise Finding(
                f"{name} has {len(found)} trained parameters of the shape of {letter}, {shape}, expected one: "
                f"make {letter} an nn.Parameter"
            )
        numbers = torch.cos(torch.arange(rank * max(shape), dtype=torch.float32) + rank).reshape(shape)
        with torch.no_grad():
            found[0].copy_(numbers if tuple(found[0].shape) == shape else numbers.T)
    return base, adapter


def _inputs(base: nn.Linear) -> Tensor:
    return torch.sin(torch.arange(2 * 3 * base.in_features, dtype=torch.float32)).reshape(2, 3, base.in_features)


def _output(name: str, adapter: Callable, x: Tensor) -> Tensor:
    value = plain(call(name, adapter, (x.clone(),)))
    if type(value) is not Tensor:
        raise Finding(f"{name} returned {type(value).__name__} for an input, expected a tensor")
    return value.detach()


def _train(adapter: nn.Module, x: Tensor) -> None:
    trained = [parameter for parameter in adapter.parameters() if parameter.requires_grad]
    if not trained:
        return
    optimizer = torch.optim.SGD(trained, lr=RATE)
    for _ in range(STEPS):
        optimizer.zero_grad()
        (adapter(x) - 1).square().sum().backward()
        optimizer.step()
