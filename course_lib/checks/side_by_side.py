"""In a notebook, show a student's matrix beside the one that was expected, and the difference of the two."""

import torch
from torch import Tensor

from course_lib.notebook_display import notebook_display


def show_side_by_side(name: str, got: object, expected: object) -> None:
    """Three heat maps, where both are matrices of modest size; outside a notebook, nothing."""
    display = notebook_display()
    if display is None:
        return
    from course_lib.plots.yours_and_expected import MOST, yours_and_expected  # importing matplotlib takes a second

    if not (type(got) is type(expected) is Tensor and got.shape == expected.shape and got.ndim >= 2 and got.numel()):
        return
    first = _worst_matrix(got, expected)
    yours, right = got[first].detach(), expected[first]
    if yours.dtype == right.dtype == torch.bool:
        yours, right = yours.float(), right.float()
    if max(right.shape) > MOST or not (right.is_floating_point() and yours.is_floating_point()):
        return
    if not (yours.isfinite().all() and right.isfinite().all()):
        return
    label = f"{name}[{', '.join(map(str, first))}]" if first else name
    display(yours_and_expected(label, yours, right))


def _worst_matrix(got: Tensor, expected: Tensor) -> tuple[int, ...]:
    """The leading indices of the matrix with the largest difference."""
    leading = got.shape[:-2]
    gaps = (got.detach().double() - expected.double()).abs().nan_to_num(torch.inf).flatten(-2).amax(-1)
    return tuple(int(index) for index in torch.unravel_index(gaps.argmax(), leading)) if leading else ()
