"""The convolution that a function makes of a patch embedding.

The embedding is an argument as one tensor, (d_model, c + 1, patch, patch): its kernel, and one more channel that holds
the bias in its first entry.
"""

import torch
from torch import Tensor, nn

from course_lib.checks.finding import Finding
from course_lib.checks.observers.registry import observer
from course_lib.checks.question import Outputs, Question
from course_lib.checks.student_call import call, plain

GRID = (2, 3)  # patches of the test image; differing, so that height and width cannot be mixed up


@observer("convolution output", in_student_process=True)
def convolution_output(question: Question) -> Outputs:
    """The output of the returned convolution for an image."""
    (_, convolution), (_, again) = _call(question), _call(question)
    if convolution.weight.shape == again.weight.shape and not torch.equal(convolution.weight, again.weight):
        raise Finding("has another weight at each call", "that of proj", "copy it", where="the convolution")
    _, channels, patch, _ = question.argument("embedding", Tensor).shape
    size = (2, channels - 1, GRID[0] * patch, GRID[1] * patch)
    image = torch.cos(torch.arange(torch.Size(size).numel()) * 0.7).reshape(size)
    with torch.no_grad():
        return {"convolution(images)": plain(call(question.exercise, convolution, [image]))}


@observer("embedding after converting", in_student_process=True)
def embedding_after_converting(question: Question) -> Outputs:
    """The embedding's parameters after the call."""
    embedding, _ = _call(question)
    return {
        "embedding.proj.weight, after the call,": plain(embedding.proj.weight.detach().clone()),
        "embedding.proj.bias, after the call,": plain(embedding.proj.bias.detach().clone()),
        "whether the embedding can be trained, after the call,": all(p.requires_grad for p in embedding.parameters()),
    }


@observer("convolution trained", in_student_process=True)
def convolution_trained(question: Question) -> Outputs:
    """What a training step of the returned convolution changes: it alone, and all of it."""
    embedding, convolution = _call(question)
    old = [parameter.detach().clone() for parameter in embedding.parameters()]
    changed = call(question.exercise, _train, (convolution,))
    unchanged = all(torch.equal(new.detach(), kept) for new, kept in zip(embedding.parameters(), old, strict=True))
    return {
        "what a training step of the convolution changes in it": changed,
        "whether a training step of the convolution changes the embedding": not unchanged,
    }


def _train(convolution: nn.Conv2d) -> str:
    """The names of the parameters that an optimizer's step changes."""
    parameters = dict(convolution.named_parameters())
    before = {name: parameter.detach().clone() for name, parameter in parameters.items()}
    trained = [parameter for parameter in parameters.values() if parameter.requires_grad]
    if any(not parameter.is_leaf for parameter in trained):
        return "nothing: its weight was computed from another tensor that needs gradients, so optimizers refuse it"
    if trained:
        optimizer = torch.optim.SGD(trained, lr=0.1)
        images = torch.ones(1, convolution.in_channels, *convolution.kernel_size)
        convolution(images).square().sum().backward()
        optimizer.step()
    changed = [name for name, parameter in parameters.items() if not torch.equal(parameter.detach(), before[name])]
    return " and ".join(sorted(changed)) or "nothing"


class PackedEmbedding(nn.Module):
    """A module with nothing but a `patch` and an nn.Linear called proj."""

    def __init__(self, packed: Tensor):
        super().__init__()
        d_model, channels, side, _ = packed.shape
        self.patch = side
        self.proj = nn.Linear((channels - 1) * side * side, d_model)
        with torch.no_grad():
            self.proj.weight.copy_(packed[:, :-1].flatten(1))
            self.proj.bias.copy_(packed[:, -1, 0, 0])


def _call(question: Question) -> tuple[PackedEmbedding, nn.Conv2d]:
    name, embedding = question.exercise, PackedEmbedding(question.argument("embedding", Tensor))
    convolution = question.call(embedding)
    if not isinstance(convolution, nn.Conv2d):
        made = "nothing" if convolution is None else f"a {type(convolution).__name__}"
        raise Finding(f"returned {made}", "an nn.Conv2d", "make one, fill it and return it", where=name)
    return embedding, convolution
