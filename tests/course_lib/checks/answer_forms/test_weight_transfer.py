import pytest
import torch
from torch import nn

from course_lib.checks.answer_forms.weight_transfer import hand_over, input_dtype, prepared, weights_of
from course_lib.checks.finding import Finding


class Reference(nn.Module):
    def __init__(self, d_in=3, d_out=5):
        super().__init__()
        self.project = nn.Linear(d_in, d_out)
        self.gain, self.shift = nn.Parameter(torch.ones(d_out)), nn.Parameter(torch.zeros(d_out))

    def forward(self, x):
        return self.project(x) * self.gain + self.shift


class OtherNames(Reference):
    """Its own parameters under names that say nothing, in the other order."""

    def __init__(self, d_in=3, d_out=5):
        nn.Module.__init__(self)
        self.b, self.a = nn.Parameter(torch.zeros(d_out)), nn.Parameter(torch.ones(d_out))
        self.project = nn.Linear(d_in, d_out)

    def forward(self, x):
        return self.project(x) * self.a + self.b


class Indistinct(OtherNames):
    def __init__(self, d_in=3, d_out=5):
        super().__init__(d_in, d_out)
        self.b = nn.Parameter(torch.ones(d_out))


class WithoutPart(Reference):
    def __init__(self, d_in=3, d_out=5):
        super().__init__(d_in, d_out)
        self.linear = self.project
        del self.project


class Narrow(Reference):
    def __init__(self, d_in=3, d_out=5):
        super().__init__(d_in, d_out - 1)


@pytest.fixture
def trained():
    """A reference whose parameters all differ, and its weights."""
    new = Reference()
    weights = weights_of(new, ["project"])
    with torch.no_grad():
        for parameter in new.parameters():
            parameter.add_(torch.randn_like(parameter))
    return new, [
        type(w)(w.part, w.name, value.detach().clone(), w.start, w.linear)
        for w, value in zip(weights, (new.project.weight, new.project.bias, new.gain, new.shift), strict=True)
    ]


@pytest.mark.parametrize("student", [Reference, OtherNames])
def test_a_module_with_the_weights_handed_over_gives_the_same_numbers(student, trained):
    reference, weights = trained
    module, x = student(), torch.randn(7, 3)
    assert not torch.allclose(module(x), reference(x))
    hand_over("layer", module, weights)
    torch.testing.assert_close(module(x), reference(x))


def test_every_parameter_is_listed_once_with_its_part():
    model = Reference()
    model.again = model.project
    assert [(w.path, w.linear, w.start) for w in weights_of(model, ["project"])] == [
        ("project.weight", True, None),
        ("project.bias", True, None),
        ("gain", False, 1.0),
        ("shift", False, 0.0),
    ]


@pytest.mark.parametrize(
    ("student", "sentence"),
    [
        (Indistinct, "cannot be told which is which: expected gain, shift"),
        (WithoutPart, "layer has no project: assign self.project in __init__"),
        (Narrow, r"layer: project.weight has shape \(4, 3\), expected \(5, 3\)"),
    ],
)
def test_a_module_that_they_do_not_fit_is_named(student, sentence, trained):
    with pytest.raises(Finding, match=sentence):
        hand_over("layer", student(), trained[1])


def test_a_prepared_module_is_in_eval_mode_and_of_the_inputs_dtype():
    module = prepared("layer", Reference, [3, 5], None, input_dtype([4, torch.ones(2, dtype=torch.float64)]))
    assert not module.training
    assert {parameter.dtype for parameter in module.parameters()} == {torch.float64}
    assert input_dtype([1, torch.tensor([2])]) == torch.float32


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (Reference(), "should be a class, but it is an object of one"),
        (3, "should be a class derived from nn.Module, but it is of type int"),
        (lambda *sizes: 3, r"layer\(3, 5\) gives a int, expected an nn.Module"),
    ],
)
def test_what_is_no_class_of_modules_is_named(answer, sentence):
    with pytest.raises(Finding, match=sentence):
        prepared("layer", answer, [3, 5], None)
