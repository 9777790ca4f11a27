import pytest
import torch
import torch.nn.functional as F
from torch.nn.functional import softmax as renamed

from course_lib.checks.finding import Finding
from course_lib.checks.forbidden import forbidding

PATHS = ("torch.nn.functional.softmax", "torch.Tensor.softmax")


def by_module(x):
    return F.softmax(x, -1)


def by_alias(x):
    return renamed(x, -1)


def by_method(x):
    return x.softmax(-1)


def by_text(x):
    return getattr(F, "softmax")(x, -1)  # noqa: B009, as somebody who hides it would write


def by_late_import(x):
    from torch.nn.functional import softmax as hidden

    return hidden(x, -1)


def written_out(x):
    """Not softmax in a docstring, nor a name of one's own, counts."""
    softmax = (x - x.amax(-1, keepdim=True)).exp()
    return softmax / softmax.sum(-1, keepdim=True)


def run(answer, paths=PATHS):
    with forbidding("soft", answer, paths):
        return answer(torch.randn(2, 3))


@pytest.mark.parametrize("answer", [by_module, by_alias, by_method, by_text, by_late_import, F.softmax])
def test_a_forbidden_function_is_found_by_any_name(answer):
    with pytest.raises(Finding, match=r"soft may not use torch\.\S+softmax: writing what it does"):
        run(answer)


def test_an_answer_that_calls_none_passes():
    assert torch.allclose(run(written_out).sum(-1), torch.ones(2))


@pytest.mark.parametrize("answer", [by_module, by_alias, by_method, by_text, by_late_import])
def test_nothing_is_forbidden_where_no_path_is_given_nor_afterwards(answer):
    originals = F.softmax, torch.Tensor.softmax
    with pytest.raises(Finding):
        run(answer)
    assert (F.softmax, torch.Tensor.softmax) == originals
    assert torch.allclose(run(answer, paths=()).sum(-1), torch.ones(2))


def test_an_answer_without_a_source_still_meets_the_guard():
    scope = {}
    exec("import torch\ndef typed(x):\n    return torch.nn.functional.softmax(x, -1)", scope)
    with pytest.raises(Finding, match="may not use"):
        run(scope["typed"])
