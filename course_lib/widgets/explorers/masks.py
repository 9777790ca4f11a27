"""Unit 05: masks to switch on and off, what they make together, and the weights that are left."""

from collections.abc import Callable

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from course_lib.plots import Picture, masks_combined
from course_lib.widgets.explorers.base import Explorer
from course_lib.widgets.explorers.controls import Slider, Steps, Switch
from course_lib.widgets.explorers.student_function import OwnFunction, tensor_of, whose

MOST, PAD = 12, 0


def explore_masks(look_ahead: Callable, padding: Callable, combine: Callable, streaming: Callable) -> Explorer:
    """Masks by these four functions of the unit, for one sentence that ends in padding."""
    future = OwnFunction("create_look_ahead_mask", look_ahead, _later_tokens)
    padded = OwnFunction("create_padding_mask", padding, _unwritten)
    joined = OwnFunction("combine_masks", combine, _all_together)
    recent: OwnFunction[Tensor | None] = OwnFunction("streaming_mask", streaming, lambda n, lookback: None)
    scores = torch.randn(2, MOST, 4, generator=torch.Generator().manual_seed(3))

    def draw(n: int, hide_future: bool, pads: int, lookback: int) -> Picture:
        square = (1, 1, n, n)
        used: list[OwnFunction] = []
        masks: dict[str, Tensor] = {}
        tokens = (torch.arange(n) < n - pads).long()[None]  # 1 for a word, 0 for padding
        if hide_future:
            masks["look-ahead"] = future(n, fits=tensor_of(*square))
            used.append(future)
        if pads:
            masks["padding"] = padded(tokens, PAD, fits=tensor_of(1, 1, 1, n))
            used.append(padded)
        if lookback >= 0:
            band = recent(n, lookback, fits=tensor_of(*square))
            masks |= {f"lookback {lookback}": band} if band is not None else {}
            used.append(recent)
        together = torch.zeros(square, dtype=torch.bool)
        if masks:
            together = joined(*masks.values(), fits=_broadcasts_to(n))
            used.append(joined)
        grids = {title: mask.bool().expand(square)[0, 0] for title, mask in masks.items()}
        whole = together.bool().expand(square)[0, 0]
        return masks_combined(grids, whole, _weights(scores[:, :n], whole)).sign(whose(*used) if used else "no mask")

    return Explorer(
        draw,
        {
            "n": Slider("tokens", 8, 3, MOST),
            "hide_future": Switch("hide the future", True),
            "pads": Slider("tokens of padding", 2, 0, 6),
            "lookback": Steps("lookback", -1, range(-1, 7), ["no limit", *map(str, range(7))]),
        },
    )


def _weights(vectors: Float[Tensor, "2 n d"], blocked: Bool[Tensor, "n n"]) -> Float[Tensor, "n n"]:
    """Torch's attention under the mask; rows without an open key are zero."""
    queries, keys = vectors
    weights = F.scaled_dot_product_attention(queries, keys, torch.eye(len(keys)), attn_mask=~blocked)
    return weights.nan_to_num(0.0) * ~blocked


def _broadcasts_to(n: int) -> Callable[[Tensor], str | None]:
    def fits(result: Tensor) -> str | None:
        try:
            result.expand(1, 1, n, n)
        except (AttributeError, RuntimeError):
            return "what it returns does not broadcast to the scores"
        return None

    return fits


def _later_tokens(n: int) -> Bool[Tensor, "1 1 {n} {n}"]:
    return nn.Transformer.generate_square_subsequent_mask(n).isinf()[None, None]


def _unwritten(tokens: Int[Tensor, "1 n"], pad_id: int) -> Bool[Tensor, "1 1 1 n"]:
    words = int(tokens.count_nonzero())
    return F.pad(torch.zeros(words), (0, tokens.shape[1] - words), value=1.0).bool()[None, None, None]


def _all_together(*masks: Bool[Tensor, "..."]) -> Bool[Tensor, "..."]:
    """Blocked where the sum of the masks is positive."""
    return sum((mask.double() for mask in masks), torch.zeros(())) > 0.5
