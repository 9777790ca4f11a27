"""References in the place of earlier answers: values, gradients and parameters cross; the reference itself does not."""

import pytest
import torch

from autograder.examiner.stand_ins import LARGEST_INTEGER, run_reference
from course_lib.checks import Finding
from course_lib.checks.student_call import call
from course_lib.models.patches import PatchEmbedding
from course_lib.nn.attention import scaled_dot_product_attention

pytestmark = pytest.mark.xdist_group("session")

REFERENCES = {"attention": scaled_dot_product_attention, "PatchEmbedding": PatchEmbedding}


def answer(session, source, name="f"):
    outputs = session.run(f"import torch\nfrom torch import nn\n{source}")
    assert not [output for output in outputs if output.output_type == "error"], outputs
    return session.look_up(name)[1]


def test_a_function_gives_the_references_values_and_gradients(session):
    session.put_stand_in("attention", scaled_dot_product_attention)
    function = answer(
        session,
        "def f(q, k, v, upstream):\n"
        "    q = q.requires_grad_()\n"
        "    output, weights = attention(q, k=k, v=2 * v)\n"
        "    (output * upstream).sum().backward()\n"
        "    return output, weights, q.grad",
    )
    q, k, v = torch.randn(3, 2, 4).unbind()
    upstream = torch.randn(2, 4)
    output, weights, gradient = call("f", function, [q, k, v, upstream])
    expected = q.clone().requires_grad_()
    right, right_weights = scaled_dot_product_attention(expected, k, 2 * v)
    (right * upstream).sum().backward()
    torch.testing.assert_close(output, right.detach())
    torch.testing.assert_close(weights, right_weights.detach())
    torch.testing.assert_close(gradient, expected.grad)


def test_a_module_owns_its_parameters_and_learns(session):
    session.put_stand_in("PatchEmbedding", PatchEmbedding)
    function = answer(
        session,
        "class Model(nn.Module):\n"
        "    def __init__(self):\n"
        "        super().__init__()\n"
        "        self.embedding = PatchEmbedding(2, 1, d_model=5)\n"
        "    def forward(self, images):\n"
        "        return self.embedding(images).mean(1)\n"
        "def f(images):\n"
        "    model = Model()\n"
        "    output = model(images)\n"
        "    output.sum().backward()\n"
        "    named = dict(model.named_parameters())\n"
        "    return output, named, [p.grad for p in named.values()], isinstance(model.embedding.proj, nn.Linear),"
        " model.embedding.patch",
    )
    images = torch.randn(3, 1, 4, 4)
    output, named, gradients, is_linear, patch = call("f", function, [images])
    assert (list(named), is_linear, patch) == (["embedding.proj.weight", "embedding.proj.bias"], True, 2)
    twin = PatchEmbedding(2, 1, 5)
    twin.proj.load_state_dict({name.rpartition(".")[2]: value for name, value in named.items()})
    expected = twin(images).mean(1)
    expected.sum().backward()
    torch.testing.assert_close(output, expected.detach())
    torch.testing.assert_close(gradients, [parameter.grad for parameter in twin.parameters()])


def test_cells_can_call_it_too(session):
    session.put_stand_in("attention", scaled_dot_product_attention)
    weights = answer(session, "f = attention(*torch.ones(3, 2, 4))[1]")
    assert weights.tolist() == [[0.5, 0.5], [0.5, 0.5]]


def test_the_references_errors_arrive(session):
    session.put_stand_in("PatchEmbedding", PatchEmbedding)
    function = answer(session, "def f(images): return PatchEmbedding(2, 1, 4)(images)")
    with pytest.raises(Finding, match="f raised ValueError: a 3 × 3 image cannot be cut"):
        call("f", function, [torch.randn(1, 1, 3, 3)])


def test_nothing_of_the_reference_is_in_the_students_process(session):
    session.put_stand_in("attention", scaled_dot_product_attention)
    found = answer(
        session,
        "import gc\n"
        "f = [getattr(o, '__module__', '') for o in gc.get_objects() if callable(o)"
        " and getattr(o, '__name__', '') == 'scaled_dot_product_attention']",
    )
    assert found == []


@pytest.mark.parametrize(
    "given",
    ["object()", "nn.Linear(2, 2)", "lambda x: x"],
    ids=["object", "module", "function"],
)
def test_objects_of_the_students_are_not_handed_over(session, given):
    session.put_stand_in("attention", scaled_dot_product_attention)
    function = answer(session, f"def f(x): return attention(x, x, {given})")
    with pytest.raises(Finding, match="cannot be handed over"):
        call("f", function, [torch.ones(2, 2)])


def test_only_what_is_in_place_can_be_called(session):
    session.put_stand_in("attention", scaled_dot_product_attention)
    source = (
        "import gc\n"
        "asks = [c.cell_contents for c in attention.__closure__ if callable(c.cell_contents)]\n"
        "def f():\n"
        "    for ask in asks:\n"
        "        return ask({'stand in': 'cross_attention', 'inputs': [[], {}, {}], 'seed': 1})"
    )
    with pytest.raises(Finding, match="KeyError"):
        call("f", answer(session, source), [])


def test_sizes_are_limited():
    inputs = [[torch.ones(2, 2)] * 3, {}, {}]
    order = {"stand in": "attention", "seed": 1, "inputs": inputs}
    assert run_reference(REFERENCES, order)[1].shape == (2, 2)
    with pytest.raises(ValueError, match="at most 1,000,000 numbers"):
        run_reference(REFERENCES, order | {"inputs": [[torch.ones(600, 600)] * 3, {}, {}]})
    module = {"stand in": "PatchEmbedding", "seed": 1, "constructor": [[2, 1, LARGEST_INTEGER + 1], {}]}
    with pytest.raises(ValueError, match="sizes of at most"):
        run_reference(REFERENCES, module)


def test_randomness_of_the_examiner_is_left_alone():
    torch.manual_seed(3)
    expected = torch.rand(1)
    torch.manual_seed(3)
    run_reference(REFERENCES, {"stand in": "PatchEmbedding", "seed": 1, "constructor": [[2, 1, 4], {}]})
    assert torch.equal(torch.rand(1), expected)
