"""Record a model's attention weights by forward hooks, however its blocks are written."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from torch import Tensor, nn


@contextmanager
def record_attention(model: nn.Module) -> Iterator[dict[str, Tensor]]:
    """Within the context, collect the weights (B, heads, n_q, n_k) of every submodule that returns (output, weights).

    The keys are the submodules' names, such as "decoder.0.cross_attention"; a later call replaces an earlier one.
    """
    record: dict[str, Tensor] = {}

    def keep(name: str) -> Callable[[nn.Module, tuple, object], None]:
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
