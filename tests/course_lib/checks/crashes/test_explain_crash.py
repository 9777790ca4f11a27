"""What an exception is said to mean: true, and nothing where it is not certain."""

import warnings

import pytest
import torch
from torch import nn

from course_lib.checks.crashes import explain_crash

x = torch.randn(2, 5, 4)
ARGUMENTS = {"x": x, "q": torch.randn(2, 3, 4), "k": torch.randn(2, 5, 4), "w": torch.randn(4, 6), "n": 7}


def explained(line, arguments=None, **names):
    """What is said of the error that this line raises."""
    arguments = ARGUMENTS if arguments is None else arguments
    names |= {"torch": torch, "nn": nn, "F": nn.functional}
    try:
        with warnings.catch_warnings(action="ignore"):
            exec(line.replace("return ", "y = "), names | arguments)
    except Exception as error:
        return explain_crash(type(error).__name__, str(error), line, arguments)
    raise AssertionError("the line raises nothing")


@pytest.mark.parametrize(
    ("line", "slug", "words"),
    [
        ("scores = q @ k.T", "transpose-batch", "`k.T` reverses *all* dimensions"),
        ("scores = q @ k / 2", "matmul-sizes", "`q` is (2, 3, 4) and `k` is (2, 5, 4)"),
        ("y = w @ x", "matmul-order", "`x @ w`"),
        ("return x / x.sum(-1)", "keepdim", "`x.sum(-1, keepdim=True)`"),
        ("return x - q", "broadcast", "`x` is (2, 5, 4) and `q` is (2, 3, 4)"),
        ("if x: pass", "tensor-truth", "`x is not None`"),
        ("if q is not None and x: pass", "tensor-truth", "`x is not None`"),
        ("if not x: pass", "tensor-truth", "`x is not None`"),
        ("y = x if x == 0 else q", "tensor-truth", "`.all()` or `.any()`"),
        ("return max(x)", "tensor-truth", "Python's `max`"),
        ("return x or q", "tensor-truth", "`and` and `or`"),
        ("return torch.sqrt(n)", "torch-of-number", "`math.sqrt(…)`"),
        ("return x - x.max(-1)", "values-and-indices", "`max` returns a pair"),
        ("return (x, q) + x", "pair-returned", "One side of `+` is a tuple"),
        ("return ~x", "invert-floats", "`~` inverts booleans"),
        ("return 1 - (x > 0)", "boolean-minus", "`~mask` inverts a mask"),
        ("return x.transpose(1, 2).view(2, 20)", "view-after-transpose", "`reshape`"),
        ("return x.reshape(2, 7)", "number-of-elements", "40 entries, but the shape (2, 7) has 14"),
        ("return torch.cat([x, n])", "cat-of-numbers", "entry 1 is a number (int)"),
        ("return nn.ModuleList([])(x)", "list-called", "an nn.ModuleList can't be called"),
        ("return nn.Linear(6, 2)(x)", "linear-sizes", "has 4 features"),
        ("return F.embedding(x, w)", "embedding-of-floats", "integer ids"),
        ("return x @ d_k", "unknown-name", "such as `x.shape[-1]`"),
        ("return x.append(q)", "no-such-method", "nothing can be appended"),
        ("return nn.Relu()", "misspelled", "`nn.ReLU`"),
        ("return x.item()", "item", "this tensor has several"),
        ("return x.unsqueeze()", "missing-argument", "`dim`"),
    ],
)
def test_what_beginners_write_is_explained(line, slug, words):
    mistake = explained(line)
    assert mistake.id == f"crash/{slug}"
    assert words.lower() in mistake.says.lower()


def test_the_advice_to_detach_is_not_passed_on():
    weights = torch.ones(2, requires_grad=True)
    mistake = explained("return weights.numpy()", {"weights": weights})
    assert mistake.id == "crash/numpy-cuts-gradient"
    assert "cuts the gradient off" in mistake.says


def test_the_argument_is_named_whose_last_dimension_does_not_fit():
    mistake = explained("return nn.Linear(6, 2)(x)")
    assert mistake.says.startswith("`x` (2, 5, 4) has 4 features")
    assert explained("x = x + 1; return nn.Linear(6, 2)(x[0])").says.startswith("What goes in has 4 features")


def test_a_transposed_matrix_is_not_taken_for_a_batch():
    """w.T is right for a matrix; what does not fit is the size."""
    mistake = explained("return torch.randn(3, 5) @ w.T")
    assert mistake.id == "crash/matmul-sizes"


def test_a_reduction_that_keeps_its_dimension_is_not_blamed():
    mistake = explained("return (x - x.mean(-1, keepdim=True)) - q")
    assert mistake.id == "crash/broadcast"


def test_a_reduction_that_is_not_where_the_sizes_clash_is_not_blamed():
    assert explained("return (x - q) / q.sum()").id == "crash/broadcast"


def test_an_error_inside_a_function_that_the_line_calls_is_not_read_into_the_line():
    def inner(value):
        _, _, _, _ = value.shape

    assert explained("return inner(x)", inner=inner) is None


@pytest.mark.parametrize(
    ("error", "message"),
    [("KeyError", "'a'"), ("RuntimeError", "something new"), ("ValueError", "x is too large"), ("StopIteration", "")],
)
def test_an_unknown_exception_is_left_alone(error, message):
    assert explain_crash(error, message, "return f(x)", ARGUMENTS) is None


@pytest.mark.parametrize("line", ["", "return f(", "]])", "x" * 400, 'f"{', "return x @"])
def test_a_line_that_cannot_be_parsed_is_no_obstacle(line):
    message = "mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)"
    assert explain_crash("RuntimeError", message, line, {}).id in ("crash/linear-sizes", "crash/matmul-sizes")


@pytest.mark.parametrize(
    ("error", "message", "line", "slug"),
    [
        (
            "TypeError",
            "transpose() received an invalid combination of arguments - got (int), but …",
            "k.transpose(-1)",
            "transpose-arguments",
        ),
        (
            "TypeError",
            "softmax() received an invalid combination of arguments - got (), but …",
            "s.softmax()",
            "softmax-dim",
        ),
        (
            "RuntimeError",
            "\"softmax_lastdim_kernel_impl\" not implemented for 'Long'",
            "s.softmax(-1)",
            "integers-for-floats",
        ),
        (
            "TypeError",
            "min(): argument 'input' (position 1) must be Tensor, not float",
            "torch.min(a, b)",
            "torch-of-number",
        ),
        ("ValueError", "too many values to unpack (expected 3, got 4)", "B, n, d = x.shape", "unpack"),
        ("RuntimeError", "expected m1 and m2 to have the same dtype, but got: float != double", "x @ w", "two-dtypes"),
    ],
)
def test_the_words_of_other_versions_are_known(error, message, line, slug):
    assert explain_crash(error, message, line, {}).id == f"crash/{slug}"


@pytest.mark.parametrize(
    "line", ["(" * 4000, "-" * 4000 + "x", "a." * 4000, "x @ " * 2000 + "x", "\0", "lambda: " * 900]
)
def test_a_hostile_line_is_no_obstacle(line):
    message = "The size of tensor a (4) must match the size of tensor b (5) at non-singleton dimension 1"
    assert explain_crash("RuntimeError", message, line, ARGUMENTS).id == "crash/broadcast"
    assert explain_crash("AttributeError", "'NoneType' object has no attribute 'a'" + "a" * 9000, line, {}) is not None


def test_nothing_is_computed_that_would_take_long():
    arguments = {"a": torch.randn(4000), "b": torch.randn(5000)}
    message = "The size of tensor a (4000) must match the size of tensor b (5000) at non-singleton dimension 0"
    assert explain_crash("RuntimeError", message, "torch.outer(a, b) + a * b", arguments).id == "crash/broadcast"


@pytest.mark.parametrize(
    ("line", "slug", "never"),
    [
        ("y = all(x > 0) if n else n", "tensor-truth", "`n` as a condition"),
        ("return torch.rand(x.shape, 3.0)", None, "one number belongs"),  # a shape is right, what follows is not
        ("return x[:, 0].fill_(3, dim=1)", None, "must be a tensor"),
        ("return torch.matmul(x[0], k.T[:, None])", "matmul-sizes", "from the right"),
        ("y = x @ nn.Linear(3, 2)(q)", "matmul-sizes", "the first factor has"),
        ("return torch.block_diag([x, x])", "cat-of-pairs", "`cat`"),
        ("x[0] = q", "slice-sizes", "`expand`"),
        ("return (x, q).append(x)", "pair-returned", "output, weights"),
    ],
)
def test_what_is_not_certain_is_not_said(line, slug, never):
    mistake = explained(line)
    assert mistake is None or never not in mistake.says
    if slug:
        assert mistake.id == f"crash/{slug}"


def test_an_option_that_torch_blames_wrongly_is_not_called_unknown():
    """torch names `axis`, which it knows, where `keep_dim` is what it does not."""
    assert "no option called `axis`" not in explained("return torch.sum(x, axis=1, keep_dim=True)").says


def test_a_class_without_super_init_is_told_so():
    class Layer(nn.Module):
        def __init__(self):
            self.inner = nn.Linear(2, 2)

    assert explained("return Layer()", Layer=Layer).id == "crash/super-init"


def test_a_sentence_names_no_class_of_the_grader():
    class Writer(nn.Module):
        def forward(self, src, tgt_in):
            return src

    mistake = explained("return model(x)", {"model": Writer(), "x": x})
    assert mistake.says == "`model` also needs `tgt_in`: see its parameters, in their order."
