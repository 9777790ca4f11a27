import os
import sys
import threading
import warnings

import pytest
import torch
import torch.nn.functional as F
from torch.nn.functional import softmax as renamed

from course_lib.checks.finding import Finding
from course_lib.checks.forbidden import Doubt, forbidding, take_doubts
from course_lib.checks.student_call import call

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


def hidden(x):
    return renamed(x, -1)


def as_operator(x):
    return torch.ops.aten._softmax(x, -1, False)


def part_of_another(x):
    return F.cross_entropy(x, x)


def decomposed(x):
    return torch._refs.softmax(x, -1)


@pytest.mark.parametrize("use", [hidden, as_operator, part_of_another, decomposed])
def test_a_forbidden_function_is_found_in_a_helper(use):
    helpers = {"use": use}
    exec("def answer(x):\n    return use(x)", helpers)
    with pytest.raises(Finding, match=r"soft may not use .*softmax"):
        run(helpers["answer"])


def test_what_does_its_work_is_named():
    def answer(x):
        return F.scaled_dot_product_attention(x, x, x)

    with pytest.raises(
        Finding, match=r"not use scaled_dot_product_attention, which does what torch\.nn\.functional\.softmax"
    ):
        run(answer)


@pytest.mark.parametrize("close", [torch.logsumexp, torch.amax, torch.sum])
def test_what_is_merely_close_is_allowed(close):
    assert run(lambda x: close(x, -1)).shape == (2,)


def test_a_static_method_of_a_forbidden_class_is_allowed():
    def answer(x):
        return torch.nn.Transformer.generate_square_subsequent_mask(3)

    assert run(answer, ["torch.nn.Transformer"]).shape == (3, 3)


def test_a_recorded_module_is_found_by_the_lines_it_was_recorded_from():
    heads = torch.nn.MultiheadAttention(4, 2).eval().requires_grad_(False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        graph = torch.jit.trace(lambda x: heads(x, x, x)[0], torch.ones(3, 4))
    with pytest.raises(Finding, match="may not use"):
        run(lambda x: graph(torch.ones(3, 4)), ["torch.nn.MultiheadAttention"])
    run(lambda x: graph(torch.ones(3, 4)), ["torch.nn.LayerNorm"])


def by_thread(x):
    thread = threading.Thread(target=lambda: None)
    thread.start()
    thread.join()
    return x


def by_program(x):
    os.system("exit 0")
    return x


@pytest.mark.parametrize(("answer", "what"), [(by_thread, "another thread"), (by_program, "another process")])
def test_work_may_not_be_given_away(answer, what):
    with pytest.raises(Finding, match=f"may not use {what}"):
        run(answer)


def test_the_watch_may_not_be_switched_off():
    def answer(x):
        sys.setprofile(None)
        return written_out(x)

    with pytest.raises(Finding, match="may not use what hides its calls"):
        run(answer)


def test_endless_recursion_is_no_accusation():
    def answer(x):
        return answer(x)

    with pytest.raises(Finding, match="raised RecursionError"):
        call("soft", answer, [torch.ones(2)], PATHS)


def test_a_profiler_of_ones_own_goes_on():
    with torch.profiler.profile() as profiler:
        run(written_out)
    assert any(event.key == "aten::exp" for event in profiler.key_averages())


def test_a_graph_of_torch_fx_is_left_to_a_person():
    take_doubts()
    graph = torch.fx.symbolic_trace(lambda x: x + 1)
    run(graph.forward)
    assert take_doubts() == [Doubt.RECORDED]
    assert take_doubts() == []
