"""Which of PyTorch's operators and functions do the work of a forbidden one.

PyTorch has each function several times: the operators aten::softmax and aten::_softmax, the Python function
torch.nn.functional.softmax, a decomposition in torch._refs. They have the same name but for an underscore or a prefix.
Others do its work under another name, or as a part of their own: FAMILIES lists those.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

_HEADS = r"(triton_)?multi_head_attention\w*|MultiheadAttention|transformer_encoder_layer_fwd"
_ATTENTION = rf"(fused_)?scaled_dot_product\w*|(flash|efficient|flex)_attention(_forward)?|{_HEADS}"
_SOFTMAX = rf"(\w+_)?soft(max|min)\w*|{_ATTENTION}"
_NORM = r"(\w+_)?layer_norm\w*|LayerNorm"
_CONVOLUTION = r"(\w+_)?convolution\w*|conv([123]d|_tbc|_transpose[123]d|_depthwise3d)|(thnn|slow|mkldnn)_conv\w*"
_AUTOGRAD = r"autograd::engine::.*|make_dual"

FAMILIES: Mapping[str, str] = {
    **dict.fromkeys(("softmax", "log_softmax", "Softmax", "LogSoftmax"), _SOFTMAX),
    "scaled_dot_product_attention": _ATTENTION,
    **dict.fromkeys(("MultiheadAttention", "multi_head_attention_forward"), _HEADS),
    **dict.fromkeys(("layer_norm", "LayerNorm"), _NORM),
    **dict.fromkeys(("conv1d", "Conv1d"), _CONVOLUTION),
    **dict.fromkeys(("grad", "backward", "jacobian", "jacrev", "jacfwd"), _AUTOGRAD),
}


def meaning_of(names: Iterable[str], paths: Sequence[str]) -> tuple[str, str | None] | None:
    """The first path whose work something of these names does, and its name, or None where it is that of the path."""
    plain = {_plain(name): name for name in reversed([*names])}
    for path in paths:
        if _leaf(path) in plain:
            return path, None
    for path in paths:
        family = FAMILIES.get(_leaf(path), r"(?!)")  # matches nothing
        for name in reversed(plain):
            if re.fullmatch(family, name):
                return path, "autograd" if family is _AUTOGRAD else name
    return None


def _leaf(path: str) -> str:
    return path.rpartition(".")[2]


def _plain(name: str) -> str:
    return name.removeprefix("aten::").lstrip("_").removeprefix("native_")
