"""Which of PyTorch's operators and functions do the work of a forbidden one.

PyTorch has each function several times: the operators aten::softmax and aten::_softmax, the Python function
torch.nn.functional.softmax, a decomposition in torch._refs. They have the same name but for an underscore or a prefix.
Others do its work under another name, or as a part of their own: FAMILIES lists those.
"""

import re
from collections.abc import Mapping
from functools import lru_cache

_HEADS = r"(triton_)?multi_head_attention\w*|MultiheadAttention|transformer_encoder_layer_fwd"
_ATTENTION = rf"(fused_)?scaled_dot_product\w*|(flash|efficient|flex)_attention(_forward)?|{_HEADS}"
_SOFTMAX = rf"(\w+_)?soft(max|min)\w*|{_ATTENTION}"
_NORM = r"(\w+_)?layer_norm\w*|LayerNorm"
_CONVOLUTION = r"(\w+_)?convolution\w*|conv([123]d|_tbc|_transpose[123]d|_depthwise3d)|(thnn|slow|mkldnn)_conv\w*"
_AUTOGRAD = r"autograd::engine::.*|make_dual"

_FAMILIES: Mapping[str, str] = {
    **dict.fromkeys(("softmax", "log_softmax", "Softmax", "LogSoftmax"), _SOFTMAX),
    "scaled_dot_product_attention": _ATTENTION,
    **dict.fromkeys(("MultiheadAttention", "multi_head_attention_forward"), _HEADS),
    **dict.fromkeys(("layer_norm", "LayerNorm"), _NORM),
    **dict.fromkeys(("conv1d", "Conv1d"), _CONVOLUTION),
    **dict.fromkeys(("grad", "backward", "jacobian", "jacrev", "jacfwd"), _AUTOGRAD),
}

_NOTHING = re.compile(r"(?!)")
FAMILIES = {leaf: re.compile(family) for leaf, family in _FAMILIES.items()}


@lru_cache(maxsize=256)  # an answer runs the same for most questions
def meaning_of(names: tuple[str, ...], paths: tuple[str, ...]) -> tuple[str, str | None] | None:
    """A path whose work the first of these names does that does any, and the name, or None where it is the path's."""
    for name in map(_plain, names):
        for path in paths:
            if _leaf(path) == name:
                return path, None
        for path in paths:
            family = FAMILIES.get(_leaf(path), _NOTHING)
            if family.fullmatch(name):
                return path, "autograd" if family.pattern == _AUTOGRAD else name
    return None


def _leaf(path: str) -> str:
    return path.rpartition(".")[2]


def _plain(name: str) -> str:
    return name.removeprefix("aten::").lstrip("_").removeprefix("native_")
