"""Reading the attention weights out of a whole model, whichever way its blocks are written."""

from collections.abc import Iterator
from contextlib import contextmanager

from torch import Tensor, nn


@contextmanager
def record_attention(model: nn.Module) -> Iterator[dict[str, Tensor]]:
    """Collect, while inside, the weights (B, heads, n_q, n_k) of every part that returns (output, weights).

    The keys are the parts' names, such as "decoder.0.cross_attention"; a later call replaces an earlier one.
    """
    record: dict[str, Tensor] = {}

    def keep(name: str):
        def hook(module: nn.Module, arguments: tuple, returned: object) -> None:
            if isinstance(returned, tuple) and len(returned) == 2 and isinstance(returned[1], Tensor):
                record[name] = returned[1].detach()

        return hook

    hooks = [part.register_forward_hook(keep(name)) for name, part in model.named_modules()]
    try:
        yield record
    finally:
        for hook in hooks:
            hook.remove()
