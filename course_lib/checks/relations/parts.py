"""A part of a module that was left out or used once too often: a layer at the end, a bias."""

from collections.abc import Callable, Iterator, Mapping

import torch.nn.functional as F
from torch import Tensor

from course_lib.checks.relations.pair import Pair, Relations, relation

EPS = 1e-5


def parts_at_the_end(pair: Pair) -> Relations:
    """What came is missing a last layer, or has it twice."""
    if pair.is_logical:
        return
    for name, width, layer in _layers(pair.parts):
        if pair.got.shape[-1:] == (width,) and pair.is_reached_from(layer(pair.got)):
            yield relation(f"without {name}", f"What is expected is {name} applied to {pair.your}.")
        if pair.want.shape[-1:] == (width,) and pair.equals(layer(pair.want)):
            yield relation(f"{name} once more", f"{pair.yours} {pair.be} {name} applied to what is expected.")


def off_by_a_bias(pair: Pair) -> Relations:
    """A parameter of one dimension that was not added, or added twice."""
    if not pair.same_shape or not pair.want.isfinite().all():
        return
    for name, value in pair.parts.items():
        if value.ndim == 1 and pair.want.shape[-1:] == value.shape and value.any():
            for sign, term in (("minus", -value), ("plus", value)):
                if pair.differs_by(term.expand(pair.want.shape)):
                    yield relation(f"{sign} {name}", f"{pair.yours} {pair.equal} {sign} {name}.")


def _layers(parts: Mapping[str, Tensor]) -> Iterator[tuple[str, int, Callable[[Tensor], Tensor]]]:
    """The linear layers and the layer norms among the parameters: name, width and function."""
    for path, value in parts.items():
        name, _, kind = path.rpartition(".")
        if kind == "weight" and value.ndim == 2:
            bias = parts.get(f"{name}.bias")
            yield name, value.shape[1], lambda x, weight=value, bias=bias: F.linear(x, weight, bias)  # type: ignore[misc]
        elif kind == "gain" and f"{name}.shift" in parts:
            shift = parts[f"{name}.shift"]
            yield name, len(value), lambda x, gain=value, shift=shift: F.layer_norm(x, gain.shape, gain, shift, EPS)  # type: ignore[misc]
