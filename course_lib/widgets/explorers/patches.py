"""Unit 08: an image cut into patches, one of them followed from its place to its token."""

from collections.abc import Callable

from jaxtyping import Float
from torch import Tensor

from course_lib.plots import Picture, patch_view
from course_lib.widgets.explorers.base import Explorer
from course_lib.widgets.explorers.controls import Slider, Steps
from course_lib.widgets.explorers.student_function import OwnFunction, tensor_of


def explore_patches(patchify: Callable, images: Float[Tensor, "batch 1 height width"]) -> Explorer:
    """One row of `patchify(images, patch)`, beside the square of pixels that it should hold."""
    height, width = images.shape[-2:]
    sizes = [size for size in (1, 2, 4, 8) if height % size == 0 and width % size == 0]

    def crop(image: Float[Tensor, "1 1 height width"], patch: int, place: int) -> Float[Tensor, "size"]:
        """The pixels of one patch."""
        top, side = place // (width // patch) * patch, place % (width // patch) * patch
        return image[0, 0].narrow(0, top, patch).narrow(1, side, patch).flatten()

    token = OwnFunction("patchify", lambda image, patch, place: patchify(image, patch)[0, place], crop)

    def draw(number: int, patch: int, place: int) -> Picture:
        image, place = images[number : number + 1], min(place, height * width // patch**2 - 1)
        row = token(image, patch, place, fits=tensor_of(patch * patch))
        return patch_view(image[0, 0], row.float(), patch, place).sign(token.line)

    return Explorer(
        draw,
        {
            "patch": Steps("size of a patch", sizes[min(1, len(sizes) - 1)], sizes),
            "place": Slider("patch", 5, 0, height * width - 1),
            "number": Slider("image", 2, 0, min(len(images), 50) - 1),
        },
    )
