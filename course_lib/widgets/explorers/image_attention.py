"""Unit 08: where each token of a trained Vision Transformer looks, block by block and head by head."""

import torch
from jaxtyping import Float
from torch import Tensor, nn

from course_lib.plots import Picture, patch_attention
from course_lib.training.attention_hooks import record_attention
from course_lib.widgets.explorers.base import Explorer, undisturbed
from course_lib.widgets.explorers.controls import Choice, Slider
from course_lib.widgets.explorers.student_function import OwnFunction

ROWS = 4  # of the stand-in's grid


def explore_image_attention(model: nn.Module, images: Float[Tensor, "batch 1 height width"]) -> Explorer:
    """The attention weights inside `model(images)`; token 0 is the class token, the others are patches."""
    looks = OwnFunction("VisionTransformer", lambda image: _recorded(model, image), _by_brightness)
    with undisturbed():
        first = looks(images[:1], fits=_problem)
    blocks, heads = len(first), first.shape[1]
    rows = round((first.shape[-1] - 1) ** 0.5)

    def draw(number: int, asks: int, block: int, head: int) -> Picture:
        image = images[number : number + 1]
        weights = looks(image, fits=_problem)[block]
        weights = weights.mean(0) if head < 0 else weights[head]
        who = "the class token" if asks < 0 else f"patch {asks}"
        title = f"where {who} looks, block {block}, {'mean of all heads' if head < 0 else f'head {head}'}"
        over_patches = weights[asks + 1, 1:].unflatten(0, (rows, rows)).float()
        return patch_attention(image[0, 0], over_patches, title, None if asks < 0 else asks).sign(looks.line)

    return Explorer(
        draw,
        {
            "number": Slider("image", 1, 0, min(len(images), 50) - 1),
            "asks": Choice("who looks", -1, range(-1, rows * rows), ["class token", *_numbers("patch", rows * rows)]),
            "block": Choice("block", blocks - 1, range(blocks), _numbers("block", blocks)),
            "head": Choice("head", -1, range(-1, heads), ["mean of all", *_numbers("head", heads)]),
        },
    )


def _recorded(network: nn.Module, image: Tensor) -> Tensor:
    """The attention maps of all blocks, in eval mode."""
    mode = network.training
    try:
        with record_attention(network.eval()) as record:
            network(image)
    finally:
        network.train(mode)
    return torch.stack([weights[0] for weights in record.values() if weights.ndim == 4])


def _problem(maps: Tensor) -> str | None:
    places = maps.shape[-1] - 1
    if maps.ndim != 4 or round(places**0.5) ** 2 != places:
        return f"its maps have shape {tuple(maps.shape)}, expected a class token and a square of patches"
    return None


def _by_brightness(image: Float[Tensor, "1 1 height width"]) -> Float[Tensor, "1 1 places places"]:
    """A stand-in: every position attends to the others by how dark they are."""
    dark = nn.functional.adaptive_avg_pool2d(image, ROWS).flatten()
    shares = torch.cat([dark.mean()[None], dark]).mul(4).softmax(0)
    return shares.expand(1, 1, len(shares), len(shares))


def _numbers(word: str, count: int) -> list[str]:
    return [f"{word} {i}" for i in range(count)]
