"""LoRA, a linear layer with a trained update BA of low rank: its output, its parameters, and what it merges into.

The layer that it adapts is an argument as one tensor, its weight with its bias as one more column. A and B are found
by their shapes, so their names are free.
"""

import torch
from torch import Tensor, nn

from course_lib.checks.answer_forms.weight_transfer import construct
from course_lib.checks.finding import Finding
from course_lib.checks.observers.registry import observer
from course_lib.checks.question import Outputs, Question
from course_lib.checks.student_call import call, plain

STEPS, RATE = 3, 0.1


@observer("adapter at the start", in_student_process=True)
def adapter_at_the_start(question: Question) -> Outputs:
    """Whether the output of a new adapter is that of its base, and whether A or B starts at zero."""
    base, adapter = _adapter(question)
    x = _inputs(base)
    want, got = base(x).detach(), _output(question, adapter, x)
    if got.shape != want.shape:
        raise Finding(f"the output has shape {tuple(got.shape)}", f"{tuple(want.shape)}")
    known = {"that of the base": want, "zero": torch.zeros_like(want)}
    near = (word for word, value in known.items() if torch.allclose(got, value, atol=1e-6))
    return {
        "the output at the start": next(near, "something else than that of the base"),
        "whether A or B starts at zero": not all(bool(p.any()) for p in adapter.parameters() if p.requires_grad),
    }


@observer("adapter parameters", in_student_process=True)
def adapter_parameters(question: Question) -> Outputs:
    """The number of trained parameters, and whether the base is trained."""
    base, adapter = _adapter(question)
    trained = [parameter for parameter in adapter.parameters() if parameter.requires_grad]
    return {
        "the number of trained parameters": sum(parameter.numel() for parameter in trained),
        "whether the base is trained": any(parameter.requires_grad for parameter in base.parameters()),
    }


@observer("adapter corrected", in_student_process=True)
def adapter_corrected(question: Question) -> Outputs:
    """The output after A and B are overwritten with other numbers."""
    base, adapter = _filled(question)
    return {"the output with other numbers in A and B": _output(question, adapter, _inputs(base))}


@observer("adapter trained", in_student_process=True)
def adapter_trained(question: Question) -> Outputs:
    """Whether a few steps of training change the output, and the base."""
    base, adapter = _adapter(question)
    x, weight = _inputs(base), base.weight.detach().clone()
    before = _output(question, adapter, x)
    call(question.exercise, _train, (adapter, x))
    return {
        "whether training changes the output": not torch.allclose(before, _output(question, adapter, x), atol=1e-4),
        "whether training changes the base": not torch.equal(weight, base.weight.detach()),
    }


@observer("adapter merged", in_student_process=True)
def adapter_merged(question: Question) -> Outputs:
    """The layer that merge() returns, and the weight of the base after it."""
    name = question.exercise
    base, adapter = _filled(question)
    if not hasattr(adapter, "merge"):
        raise Finding("has no merge", detail="write a method `def merge(self)` that returns an nn.Linear", where=name)
    merged = call(name, adapter.merge, ())
    if not isinstance(merged, nn.Linear):
        raise Finding(f"merge() gives a {type(merged).__name__}", "an nn.Linear")
    bias = merged.bias if merged.bias is not None else torch.zeros(0)
    return {
        "the weight of merge()": plain(merged.weight.detach().clone()),
        "the bias of merge()": plain(bias.detach().clone()),
        "the weight of the base, after merge(),": plain(base.weight.detach().clone()),
    }


def _adapter(question: Question) -> tuple[nn.Linear, nn.Module]:
    packed, rank = question.argument("base", Tensor), question.argument("rank", int)
    d_out, d_in = packed.shape[0], packed.shape[1] - 1
    base = nn.Linear(d_in, d_out)
    with torch.no_grad():
        base.weight.copy_(packed[:, :d_in])
        base.bias.copy_(packed[:, d_in])
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        return base, construct(question.exercise, question.answer, [base, rank])


def _filled(question: Question) -> tuple[nn.Linear, nn.Module]:
    base, adapter = _adapter(question)
    name, rank = question.exercise, question.argument("rank", int)
    for letter, shape in (("A", (rank, base.in_features)), ("B", (base.out_features, rank))):
        candidates = [p for p in adapter.parameters() if p.requires_grad and tuple(p.shape) in (shape, shape[::-1])]
        if len(candidates) != 1:
            raise Finding(
                f"has {len(candidates)} trained parameters of the shape of {letter}, {shape}",
                "one",
                f"make {letter} an nn.Parameter",
                where=name,
            )
        numbers = torch.cos(torch.arange(rank * max(shape), dtype=torch.float32) + rank).reshape(shape)
        with torch.no_grad():
            candidates[0].copy_(numbers if tuple(candidates[0].shape) == shape else numbers.T)
    return base, adapter


def _inputs(base: nn.Linear) -> Tensor:
    return torch.sin(torch.arange(2 * 3 * base.in_features, dtype=torch.float32)).reshape(2, 3, base.in_features)


def _output(question: Question, adapter: nn.Module, x: Tensor) -> Tensor:
    name = question.exercise
    value = plain(call(name, adapter, (x.clone(),)))
    if type(value) is not Tensor:
        raise Finding(f"returned {type(value).__name__} for an input", "a tensor", where=name)
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
