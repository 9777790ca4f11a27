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
WHOLE = "that of the layer with its correction"


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
    found: Outputs = {"the output at the start": next(near, "something else than that of the base")}
    if trained := [p for p in adapter.parameters() if p.requires_grad]:
        found["whether A or B starts at zero"] = not all(bool(p.any()) for p in trained)
    return found


@observer("adapter parameters", in_student_process=True)
def adapter_parameters(question: Question) -> Outputs:
    """The number of trained parameters, and whether those of the base are among them."""
    base, adapter = _adapter(question)
    trained = [parameter for parameter in adapter.parameters() if parameter.requires_grad]
    memory = {parameter.untyped_storage().data_ptr() for parameter in trained}
    return {
        "whether the base is trained": any(p.untyped_storage().data_ptr() in memory for p in base.parameters()),
        "the number of trained parameters": sum(parameter.numel() for parameter in trained),
    }


@observer("adapter corrected", in_student_process=True)
def adapter_corrected(question: Question) -> Outputs:
    """What is added to the output of the base when A and B hold other numbers."""
    base, adapter, update = _filled(question)
    x = _inputs(base)
    got = _steady_output(question, adapter, x)
    x.requires_grad_()
    call(question.exercise, _sum_backward, (adapter, x))
    reached, x = x.grad, x.detach()
    wanted = x @ update.T
    factor = ((got - base(x).detach()) * wanted).sum() / wanted.square().sum() if got.shape[:-1] == x.shape[:-1] else 0
    scaled = got.shape == wanted.shape and torch.allclose(got, base(x).detach() + factor * wanted, atol=1e-4)
    return {
        "the factor of x Aᵀ Bᵀ, added to the base,": f"{float(factor) + 0.0:.3g}" if scaled else "none that fits",
        "the output with other numbers in A and B": got,
        "the gradient of x": torch.zeros_like(x) if reached is None else reached,
    }


@observer("adapter trained", in_student_process=True)
def adapter_trained(question: Question) -> Outputs:
    """Whether a few steps of training change the output, and the base."""
    base, adapter = _adapter(question)
    x, weight = _inputs(base), base.weight.detach().clone()
    if not any(parameter.requires_grad for parameter in adapter.parameters()):
        raise Finding("has no trained parameters", "A and B", "make each an nn.Parameter", where=question.exercise)
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
    base, adapter, update = _filled(question)
    if not hasattr(adapter, "merge"):
        raise Finding("has no merge", detail="write a method `def merge(self)` that returns an nn.Linear", where=name)
    before = base.weight.detach().clone()
    own_weight, own_bias = _as_layer(question, adapter, base.in_features)
    merged = call(name, adapter.merge, ())
    if not isinstance(merged, nn.Linear):
        raise Finding(f"merge() gives a {type(merged).__name__}", "an nn.Linear")
    weight = plain(merged.weight.detach().clone())
    bias = torch.zeros(len(own_bias)) if merged.bias is None else merged.bias.detach()
    again = call(name, adapter.merge, ())
    repeated = isinstance(again, nn.Linear) and torch.equal(again.weight.detach(), merged.weight.detach())
    unchanged = torch.equal(base.weight.detach(), before)
    memory = {p.untyped_storage().data_ptr() for p in (*adapter.parameters(), *base.parameters())}
    shared = any(p.untyped_storage().data_ptr() in memory for p in merged.parameters())
    with torch.no_grad():
        for parameter in adapter.parameters():
            if parameter.requires_grad:
                parameter.mul_(1.5)
    later = call(name, adapter.merge, ())
    follows = isinstance(later, nn.Linear) and _close(
        later.weight.detach(), _as_layer(question, adapter, base.in_features)[0]
    )
    right = _close(weight, own_weight)
    return {
        "the weight of merge()": WHOLE if right else _in_words(weight, before, update),
        "whether merge() has the bias of the layer": _close(bias, own_bias),
        "whether merge() leaves the base as it was": unchanged,
        "whether merging twice gives the same": repeated,
        "whether merge() shares its numbers with the layer": shared,
        "whether merge() follows further training": follows or not right,
    }


def _as_layer(question: Question, adapter: nn.Module, width: int) -> tuple[Tensor, Tensor]:
    """The weight and the bias of the linear layer that the adapter is."""
    bias = _steady_output(question, adapter, torch.zeros(1, width))[0]
    return (_steady_output(question, adapter, torch.eye(width)) - bias).mT, bias


def _in_words(weight: object, base: Tensor, update: Tensor) -> str:
    """What a merged weight is made of."""
    if not isinstance(weight, Tensor) or weight.shape != base.shape:
        return "of another shape"
    if torch.allclose(weight, update, atol=1e-4):
        return "B A alone, without that of the base"
    factor = ((weight - base) * update).sum() / update.square().sum()
    if not torch.allclose(weight, base + factor * update, atol=1e-4):
        return "something else"
    return (
        f"that of the base plus {float(factor) + 0.0:.3g} times B A" if abs(factor) > 1e-4 else "that of the base alone"
    )


def _close(one: object, other: Tensor) -> bool:
    return isinstance(one, Tensor) and one.shape == other.shape and torch.allclose(one, other, atol=1e-4)


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


def _filled(question: Question) -> tuple[nn.Linear, nn.Module, Tensor]:
    """The base, the adapter with other numbers in A and B, and their product B A."""
    base, adapter = _adapter(question)
    name, rank = question.exercise, question.argument("rank", int)
    numbers = []
    for letter, shape in (("A", (rank, base.in_features)), ("B", (base.out_features, rank))):
        candidates = [p for p in adapter.parameters() if p.requires_grad and tuple(p.shape) in (shape, shape[::-1])]
        if len(candidates) != 1:
            raise Finding(
                f"has {len(candidates)} trained parameters of the shape of {letter}, {shape}",
                "one",
                f"make {letter} an nn.Parameter that is trained",
                where=name,
            )
        numbers.append(torch.cos(torch.arange(rank * max(shape), dtype=torch.float32) + rank).reshape(shape))
        with torch.no_grad():
            candidates[0].copy_(numbers[-1] if tuple(candidates[0].shape) == shape else numbers[-1].T)
    a, b = numbers
    return base, adapter, b @ a


def _inputs(base: nn.Linear) -> Tensor:
    return torch.sin(torch.arange(2 * 3 * base.in_features, dtype=torch.float32)).reshape(2, 3, base.in_features)


def _output(question: Question, adapter: nn.Module, x: Tensor) -> Tensor:
    name = question.exercise
    value = plain(call(name, adapter, (x.clone(),)))
    if type(value) is not Tensor:
        raise Finding(f"returned {type(value).__name__} for an input", "a tensor", where=name)
    return value.detach()


def _steady_output(question: Question, adapter: nn.Module, x: Tensor) -> Tensor:
    """The output, which must not differ from call to call."""
    outputs = []
    for seed in (0, 1):
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            outputs.append(_output(question, adapter, x))
    if not torch.allclose(outputs[0], outputs[1], atol=1e-6):
        raise Finding(
            "gives another output for the same input at each call",
            "one output",
            "is there a dropout?",
            where=question.exercise,
        )
    return outputs[0]


def _sum_backward(adapter: nn.Module, x: Tensor) -> None:
    output = adapter(x)
    if output.requires_grad:
        output.square().sum().backward()


def _train(adapter: nn.Module, x: Tensor) -> None:
    trained = [parameter for parameter in adapter.parameters() if parameter.requires_grad]
    if not trained:
        return
    optimizer = torch.optim.SGD(trained, lr=RATE)
    for _ in range(STEPS):
        optimizer.zero_grad()
        (adapter(x) - 1).square().sum().backward()
        optimizer.step()
