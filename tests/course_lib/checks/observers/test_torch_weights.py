"""Two modules are compared after the weights of one are loaded into the other."""

import pytest
import torch

from course_lib.checks import Finding
from course_lib.checks.observers import OBSERVERS
from course_lib.checks.observers.torch_weights import PARTS, LinearParts, torch_module
from course_lib.checks.question import Question
from course_lib.nn.multihead import load_from_torch

D = 3
ARGUMENTS = {"mha": torch.randn(4 * D, D + 1), "torch_mha": torch.randn(4 * D, D + 1)}


def observe(what, answer, arguments=ARGUMENTS):
    return OBSERVERS[what](Question("load_from_torch", answer, arguments, ("weights",)))


def test_packed_weights_go_where_their_rows_say():
    mha, torch_mha = LinearParts(ARGUMENTS["mha"]), torch_module(ARGUMENTS["torch_mha"])
    packed = [torch.cat([getattr(mha, part).weight, getattr(mha, part).bias[:, None]], 1) for part in PARTS]
    assert torch.equal(torch.cat(packed), ARGUMENTS["mha"])
    assert torch.equal(torch_mha.in_proj_weight, ARGUMENTS["torch_mha"][: 3 * D, :D])
    assert torch.equal(torch_mha.out_proj.bias, ARGUMENTS["torch_mha"][3 * D :, D])
    assert torch_module(ARGUMENTS["torch_mha"][:, :D]).in_proj_bias is None


def test_loaded_weights_are_those_of_torch():
    seen = observe("loaded weights", load_from_torch)
    assert torch.equal(seen["mha.wk.weight"], ARGUMENTS["torch_mha"][D : 2 * D, :D])
    assert torch.equal(seen["mha.dense.bias"], ARGUMENTS["torch_mha"][3 * D :, D])
    assert torch.equal(seen["torch_mha.in_proj_bias, after the call,"], ARGUMENTS["torch_mha"][: 3 * D, D])


def test_shared_memory_is_seen():
    def share(mha, torch_mha):
        mha.dense.weight.data = torch_mha.out_proj.weight.data

    assert not any(observe("copied weights", load_from_torch).values())
    assert [key for key, changes in observe("copied weights", share).items() if changes] == [
        "whether mha.dense.weight changes when torch_mha does"
    ]


def test_removed_part_is_named():
    with pytest.raises(Finding, match=r"mha\.wv has no bias any more"):
        observe("loaded weights", lambda mha, torch_mha: setattr(mha.wv, "bias", None))
